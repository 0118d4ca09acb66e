package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/consul/api"
)

// A pair is two clusters of which one issues the token that the other uses.
type pair struct {
	*run
	acceptor *api.Peerings
	dialer   *api.Peerings
	// The name of the peering on both of them.
	name  string
	token string
}

func checkCluster(r *run, suffix string) {
	p := &pair{
		run:      r,
		acceptor: peerings(needed("CONSUL_HTTP_ADDR"), needed("CONSUL_HTTP_TOKEN")),
		dialer:   peerings(needed("CONSUL_PEER_HTTP_ADDR"), needed("CONSUL_PEER_HTTP_TOKEN")),
		name:     "peer-" + suffix,
	}
	p.checkToken(p.checkPeering)
	checkConfigEntries(r, suffix)
}

func peerings(address, token string) *api.Peerings {
	return consul(address, token).Peerings()
}

func consul(address, token string) *api.Client {
	config := api.DefaultConfig()
	config.Address, config.Token = address, token
	client, err := api.NewClient(config)
	if err != nil {
		fail(err.Error())
	}
	return client
}

// checkToken lets the other cluster use the token before the peering that it belongs to is deleted.
func (p *pair) checkToken(meanwhile func()) {
	const resource = "cluster.PeeringToken"
	meta := map[string]string{"team": "platform"}
	first := &api.Peering{}
	p.step(resource, "create", func(c *checks) error {
		token, err := p.issue(meta)
		if err == nil {
			c.holds("a token", token.EstablishmentSecret != "")
		}
		return err
	})
	p.step(resource, "read", func(c *checks) error {
		peering, err := read(p.acceptor, p.name)
		if err != nil {
			return err
		}
		first = peering
		c.equal("name", peering.Name, p.name)
		c.equal("state", peering.State, api.PeeringStatePending)
		c.equal("meta", peering.Meta, meta)
		c.equal("peer id", peering.PeerID, "")
		c.equal("deleted at", peering.DeletedAt, nil)
		c.holds("an index", peering.ModifyIndex >= peering.CreateIndex && peering.CreateIndex > 0)
		return nil
	})
	p.step(resource, "list", func(c *checks) error { return p.listed(c, p.acceptor) })
	p.step(resource, "update", func(c *checks) error {
		old := p.token
		token, err := p.issue(map[string]string{"team": "other"})
		if err != nil {
			return err
		}
		peering, err := read(p.acceptor, p.name)
		if err != nil {
			return err
		}
		c.holds("another token", p.token != old)
		c.equal("id", peering.ID, first.ID)
		c.equal("peer id in the token", token.PeerID, first.ID)
		c.equal("meta, which stays", peering.Meta, meta)
		c.holds("a higher index", peering.ModifyIndex > first.ModifyIndex)
		return nil
	})
	p.step(resource, "error", func(c *checks) error {
		_, _, err := p.acceptor.GenerateToken(ctx, api.PeeringGenerateTokenRequest{PeerName: "Upper"}, nil)
		return refusedWith500(c, err, "Upper is not a valid peer name: a valid peering name must consist of lower case "+
			"alphanumeric characters or '-', and must start and end with an alphanumeric character")
	})
	meanwhile()
	p.step(resource, "delete", func(c *checks) error { return p.removed(c, p.acceptor) })
}

func (p *pair) checkPeering() {
	const resource = "cluster.Peering"
	establish := func(meta map[string]string) error {
		_, _, err := p.dialer.Establish(ctx, api.PeeringEstablishRequest{PeerName: p.name, PeeringToken: p.token, Meta: meta}, nil)
		return err
	}
	first := &api.Peering{}
	p.step(resource, "create", func(c *checks) error {
		if err := establish(map[string]string{"team": "platform"}); err != nil {
			return err
		}
		peering, err := read(p.dialer, p.name)
		if err == nil {
			c.equal("name", peering.Name, p.name)
		}
		return err
	})
	p.step(resource, "read", func(c *checks) error {
		peering, err := p.settled()
		if err != nil {
			return err
		}
		token, err := decoded(p.token)
		if err != nil {
			return err
		}
		first = peering
		c.equal("state", peering.State, api.PeeringStateActive)
		c.equal("meta", peering.Meta, map[string]string{"team": "platform"})
		c.equal("peer id", peering.PeerID, token.PeerID)
		c.equal("server name", peering.PeerServerName, token.ServerName)
		c.equal("server addresses", peering.PeerServerAddresses, token.ServerAddresses)
		c.equal("CAs", peering.PeerCAPems, token.CA)
		return nil
	})
	p.step(resource, "list", func(c *checks) error { return p.listed(c, p.dialer) })
	p.step(resource, "update", func(c *checks) error {
		if _, err := p.issue(nil); err != nil {
			return err
		}
		if err := establish(map[string]string{"team": "other"}); err != nil {
			return err
		}
		peering, err := p.settled()
		if err != nil {
			return err
		}
		c.equal("id", peering.ID, first.ID)
		c.equal("meta", peering.Meta, map[string]string{"team": "other"})
		c.holds("a higher index", peering.ModifyIndex > first.ModifyIndex)
		return nil
	})
	p.step(resource, "error", func(c *checks) error {
		_, _, err := p.dialer.GenerateToken(ctx, api.PeeringGenerateTokenRequest{PeerName: p.name}, nil)
		return refusedWith500(c, err, fmt.Sprintf("cannot create peering with name: %q; there is already an established peering", p.name))
	})
	p.step(resource, "delete", func(c *checks) error { return p.removed(c, p.dialer) })
}

// A token is as much of the decoded peering token as has a counterpart in the record.
type token struct {
	CA                  []string
	ServerAddresses     []string
	ServerName          string
	PeerID              string
	EstablishmentSecret string
}

func (p *pair) issue(meta map[string]string) (*token, error) {
	answer, _, err := p.acceptor.GenerateToken(ctx, api.PeeringGenerateTokenRequest{PeerName: p.name, Meta: meta}, nil)
	if err != nil {
		return nil, err
	}
	p.token = answer.PeeringToken
	return decoded(p.token)
}

func decoded(text string) (*token, error) {
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	var t token
	return &t, json.Unmarshal(content, &t)
}

func read(from *api.Peerings, name string) (*api.Peering, error) {
	peering, _, err := from.Read(ctx, name, nil)
	if err == nil && peering == nil {
		err = errors.New("there is no peering " + name)
	}
	return peering, err
}

// settled is the dialer's record once it is active and nothing has written to it for a second: in the first
// moments of a connection Consul writes the other side's addresses, and can undo a change that it did not see.
func (p *pair) settled() (*api.Peering, error) {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		before, err := read(p.dialer, p.name)
		if err != nil {
			return nil, err
		}
		if _, _, err := p.dialer.Read(ctx, p.name, &api.QueryOptions{WaitIndex: before.ModifyIndex, WaitTime: time.Second}); err != nil {
			return nil, err
		}
		after, err := read(p.dialer, p.name)
		if err != nil {
			return nil, err
		}
		if after.State == api.PeeringStateActive && after.ModifyIndex == before.ModifyIndex {
			return after, nil
		}
	}
	return nil, fmt.Errorf("%s has not become active", p.name)
}

func (p *pair) listed(c *checks, in *api.Peerings) error {
	list, meta, err := in.List(ctx, nil)
	if err != nil {
		return err
	}
	c.holds("an index", meta.LastIndex > 0)
	c.holds("a known leader", meta.KnownLeader)
	found := false
	for _, peering := range list {
		found = found || peering.Name == p.name
	}
	c.holds("listed", found)
	return nil
}

// removed repeats the DELETE while it waits: Consul forgets one that meets the other side's.
func (p *pair) removed(c *checks, from *api.Peerings) error {
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if _, err := from.Delete(ctx, p.name, nil); err != nil {
			return err
		}
		peering, meta, err := from.Read(ctx, p.name, nil)
		if err != nil {
			return err
		}
		if peering == nil {
			c.holds("gone", true)
			return nil
		}
		if _, _, err := from.Read(ctx, p.name, &api.QueryOptions{WaitIndex: meta.LastIndex, WaitTime: time.Second}); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s has not gone", p.name)
}

// refusedWith500 expects the status that Consul has for almost everything that it refuses.
func refusedWith500(c *checks, err error, text string) error {
	var refusal api.StatusError
	if !errors.As(err, &refusal) {
		return fmt.Errorf("not refused by the server: %v", err)
	}
	c.equal("status", refusal.Code, 500)
	c.equal("text", refusal.Body, text)
	return nil
}
