package main

import "github.com/hashicorp/vault/api"

func (s *secretsServer) checkAuthMount(meanwhile func(path string)) {
	path := "jwt-" + s.suffix
	enable := func() error {
		return s.client.Sys().EnableAuthWithOptions(path, &api.EnableAuthOptions{
			Type:        "jwt",
			Description: "by a client",
			Config:      api.AuthConfigInput{DefaultLeaseTTL: "15m", MaxLeaseTTL: "2h", TokenType: "default-service"},
		})
	}
	s.checkMount(mountSteps{
		resource: "sys.AuthMount",
		path:     path,
		kind:     "jwt",
		enable:   enable,
		read:     func() (*api.AuthMount, error) { return s.client.Sys().GetAuth(path) },
		list:     s.client.Sys().ListAuth,
		tuned:    "auth/" + path,
		disable:  func() error { return s.client.Sys().DisableAuth(path) },
	}, meanwhile)
}

func (s *secretsServer) checkSecretsMount(meanwhile func(path string)) {
	path := "cloud-" + s.suffix
	enable := func() error {
		return s.client.Sys().Mount(path, &api.MountInput{
			Type:        "aws",
			Description: "by a client",
			Config:      api.MountConfigInput{DefaultLeaseTTL: "15m", MaxLeaseTTL: "2h"},
		})
	}
	s.checkMount(mountSteps{
		resource: "sys.SecretsMount",
		path:     path,
		kind:     "aws",
		enable:   enable,
		read:     func() (*api.MountOutput, error) { return s.client.Sys().GetMount(path) },
		list:     s.client.Sys().ListMounts,
		tuned:    path,
		disable:  func() error { return s.client.Sys().Unmount(path) },
	}, meanwhile)
}

type mountSteps struct {
	resource string
	path     string
	kind     string
	enable   func() error
	read     func() (*api.MountOutput, error)
	list     func() (map[string]*api.MountOutput, error)
	// The client tunes auth methods under their path among all mounts.
	tuned   string
	disable func() error
}

func (s *secretsServer) checkMount(m mountSteps, meanwhile func(path string)) {
	s.step(m.resource, "create", func(c *checks) error {
		if err := m.enable(); err != nil {
			return err
		}
		mount, err := m.read()
		if err == nil {
			c.equal("type", mount.Type, m.kind)
		}
		return err
	})
	var accessor string
	s.step(m.resource, "read", func(c *checks) error {
		mount, err := m.read()
		if err != nil {
			return err
		}
		accessor = mount.Accessor
		c.holds("an accessor", accessor != "")
		c.holds("a uuid", mount.UUID != "")
		c.equal("description", mount.Description, "by a client")
		c.equal("default_lease_ttl", mount.Config.DefaultLeaseTTL, 900)
		c.equal("max_lease_ttl", mount.Config.MaxLeaseTTL, 7200)
		return nil
	})
	s.step(m.resource, "list", func(c *checks) error {
		mounts, err := m.list()
		if err != nil {
			return err
		}
		mount, ok := mounts[m.path+"/"]
		c.holds("listed", ok)
		if ok {
			c.equal("accessor", mount.Accessor, accessor)
		}
		return nil
	})
	s.step(m.resource, "update", func(c *checks) error { return s.tune(c, m) })
	s.step(m.resource, "error", func(c *checks) error {
		return refused(c, m.enable(), "path is already in use at "+m.path+"/")
	})
	meanwhile(m.path)
	s.step(m.resource, "delete", func(c *checks) error {
		if err := m.disable(); err != nil {
			return err
		}
		mounts, err := m.list()
		_, ok := mounts[m.path+"/"]
		c.holds("gone", !ok)
		return err
	})
}

func (s *secretsServer) tune(c *checks, m mountSteps) error {
	description, inherited, visibility, key, trims := "", "system", "unauth", "default", true
	err := s.client.Sys().TuneMountAllowNil(m.tuned, api.TuneMountConfigInput{
		Description:                &description,
		DefaultLeaseTTL:            &inherited,
		ListingVisibility:          &visibility,
		IdentityTokenKey:           &key,
		TrimRequestTrailingSlashes: &trims,
	})
	if err != nil {
		return err
	}
	mount, err := m.read()
	if err != nil {
		return err
	}
	c.equal("description", mount.Description, "")
	c.equal("default_lease_ttl", mount.Config.DefaultLeaseTTL, 0)
	c.equal("max_lease_ttl", mount.Config.MaxLeaseTTL, 7200)
	c.equal("listing_visibility", mount.Config.ListingVisibility, "unauth")
	c.equal("identity_token_key", mount.Config.IdentityTokenKey, "default")
	c.holds("trim_request_trailing_slashes", mount.Config.TrimRequestTrailingSlashes)
	effective, err := s.client.Sys().MountConfig(m.tuned)
	if err != nil {
		return err
	}
	c.equal("effective max_lease_ttl", effective.MaxLeaseTTL, 7200)
	return nil
}
