package main

import (
	"errors"
	"slices"
)

// checkGroup makes an external group with its alias at the mount.
func (s *secretsServer) checkGroup(mount string) {
	const resource = "identity.Group"
	logical := s.client.Logical()
	name := "group-" + s.suffix
	path := "identity/group/name/" + name
	var alias map[string]any
	s.step(resource, "create", func(c *checks) error {
		made, err := logical.Write(path, map[string]any{
			"type": "external", "policies": []string{"write", "read"}, "metadata": map[string]any{"owner": "platform"},
		})
		if err != nil {
			return err
		}
		if made == nil {
			return errors.New("the write answers with nothing")
		}
		c.equal("name", made.Data["name"], name)
		at, err := s.client.Sys().GetAuth(mount)
		if err != nil {
			return err
		}
		alias = map[string]any{"name": "engineers", "mount_accessor": at.Accessor, "canonical_id": made.Data["id"]}
		named, err := logical.Write("identity/group-alias", alias)
		if err == nil && named != nil {
			c.equal("canonical_id", named.Data["canonical_id"], made.Data["id"])
		}
		return err
	})
	s.step(resource, "read", func(c *checks) error {
		group, err := logical.Read(path)
		if err != nil {
			return err
		}
		c.fields(group.Data, map[string]any{
			"type": "external", "policies": []string{"read", "write"}, "member_entity_ids": nil,
			"metadata": map[string]any{"owner": "platform"}, "parent_group_ids": nil,
		})
		shown, ok := group.Data["alias"].(map[string]any)
		c.holds("an alias", ok)
		c.fields(shown, map[string]any{"name": "engineers", "mount_path": "auth/" + mount + "/", "mount_type": "jwt"})
		return nil
	})
	s.step(resource, "list", func(c *checks) error {
		answer, err := logical.List("identity/group/name")
		if err != nil {
			return err
		}
		names, ok := answer.Data["keys"].([]any)
		c.holds("listed", ok && slices.Contains(names, any(name)))
		return nil
	})
	s.step(resource, "update", func(c *checks) error {
		if _, err := logical.Write(path, map[string]any{"policies": []string{}}); err != nil {
			return err
		}
		group, err := logical.Read(path)
		if err != nil {
			return err
		}
		c.fields(group.Data, map[string]any{"policies": []string{}})
		_, ok := group.Data["alias"].(map[string]any)
		c.holds("the alias is still there", ok)
		return nil
	})
	s.step(resource, "error", func(c *checks) error {
		_, err := logical.Write("identity/group-alias", alias)
		return refused(c, err, "combination of mount and group alias name is already in use")
	})
	s.step(resource, "delete", func(c *checks) error {
		if _, err := logical.Delete(path); err != nil {
			return err
		}
		answer, err := logical.Read(path)
		c.holds("gone", answer == nil)
		return err
	})
}
