package main

import (
	"slices"
	"strings"
)

// A policy is read as it was written, whatever its layout.
func (s *secretsServer) checkAclPolicy() {
	const resource = "sys.Policy"
	name := "ci-" + s.suffix
	reads := "# What CI may do\npath \"secret/data/ci/*\" {\n  capabilities = [\"read\"]\n}\n"
	lists := strings.Replace(reads, "read", "list", 1)
	read := func(c *checks, text string) error {
		policy, err := s.client.Sys().GetPolicy(name)
		if err == nil {
			c.equal("policy", policy, text)
		}
		return err
	}
	s.step(resource, "create", func(c *checks) error {
		if err := s.client.Sys().PutPolicy(name, reads); err != nil {
			return err
		}
		return read(c, reads)
	})
	s.step(resource, "read", func(c *checks) error { return read(c, reads) })
	s.step(resource, "list", func(c *checks) error {
		names, err := s.client.Sys().ListPolicies()
		c.holds("listed", slices.Contains(names, name))
		return err
	})
	s.step(resource, "update", func(c *checks) error {
		if err := s.client.Sys().PutPolicy(strings.ToUpper(name), lists); err != nil {
			return err
		}
		return read(c, lists)
	})
	s.step(resource, "error", func(c *checks) error {
		err := s.client.Sys().PutPolicy(name, "path \"a\" { capabilities = [\"fly\"] }")
		return refused(c, err, "failed to parse policy: path \"a\": invalid capability \"fly\"")
	})
	s.step(resource, "delete", func(c *checks) error {
		if err := s.client.Sys().DeletePolicy(name); err != nil {
			return err
		}
		return read(c, "")
	})
}
