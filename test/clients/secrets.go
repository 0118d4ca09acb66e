package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/vault/api"
)

// A secretsServer is what the steps on Vault share: the client, and names that are this run's own.
type secretsServer struct {
	*run
	client  *api.Client
	version string
	suffix  string
}

// checkSecrets lets the records of an engine live in the mount that the steps of the mount itself have made, in between them.
func checkSecrets(r *run, suffix string) {
	needed("VAULT_ADDR")
	needed("VAULT_TOKEN")
	client, err := api.NewClient(api.DefaultConfig())
	if err != nil {
		fail(err.Error())
	}
	health, err := client.Sys().Health()
	if err != nil {
		fail("sys/health: " + err.Error())
	}
	s := &secretsServer{run: r, client: client, version: health.Version, suffix: suffix}
	s.checkAuthMount(func(mount string) {
		s.checkJwt(mount)
		s.checkGroup(mount)
	})
	s.checkSecretsMount(s.checkCloud)
	s.checkAclPolicy()
}

// A record is one that `Logical` writes: its path, what is sent and what then is read.
type record struct {
	resource string
	path     string
	create   map[string]any
	created  map[string]any
	update   map[string]any
	updated  map[string]any
	// The name in the list of the path above; empty where the API has no such list.
	listed string
	// The API has no DELETE for configurations.
	deletes bool
	// Most writes answer 204, without a record.
	answers bool
	mistake mistake
}

// A mistake is a write that the server must refuse with 400 and this text.
type mistake struct {
	path string
	body map[string]any
	text string
}

func (s *secretsServer) checkRecord(r record) {
	logical := s.client.Logical()
	write := func(c *checks, body, want map[string]any) error {
		answer, err := logical.Write(r.path, body)
		if err != nil {
			return err
		}
		c.equal("the write answers with a record", answer != nil, r.answers)
		if answer != nil {
			c.fields(answer.Data, want)
		}
		return nil
	}
	s.step(r.resource, "create", func(c *checks) error { return write(c, r.create, r.created) })
	s.step(r.resource, "read", func(c *checks) error { return s.compare(c, r.path, r.created) })
	if r.listed != "" {
		s.step(r.resource, "list", func(c *checks) error {
			answer, err := logical.List(r.path[:strings.LastIndex(r.path, "/")])
			if err != nil {
				return err
			}
			if answer == nil {
				return errors.New("the list is empty")
			}
			c.equal("keys", answer.Data["keys"], []string{r.listed})
			return nil
		})
	}
	s.step(r.resource, "update", func(c *checks) error {
		if err := write(c, r.update, r.updated); err != nil {
			return err
		}
		return s.compare(c, r.path, r.updated)
	})
	s.step(r.resource, "error", func(c *checks) error {
		_, err := logical.Write(r.mistake.path, r.mistake.body)
		return refused(c, err, r.mistake.text)
	})
	if r.deletes {
		s.step(r.resource, "delete", func(c *checks) error {
			if _, err := logical.Delete(r.path); err != nil {
				return err
			}
			answer, err := logical.Read(r.path)
			c.holds("gone", answer == nil)
			return err
		})
	}
}

func (s *secretsServer) compare(c *checks, path string, want map[string]any) error {
	answer, err := s.client.Logical().Read(path)
	if err != nil {
		return err
	}
	if answer == nil {
		return fmt.Errorf("there is nothing at %s", path)
	}
	c.holds("a request id", answer.RequestID != "")
	c.equal("warnings", answer.Warnings, nil)
	c.fields(answer.Data, want)
	return nil
}

// refused expects a 400 with exactly this text.
func refused(c *checks, err error, text string) error {
	var refusal *api.ResponseError
	if !errors.As(err, &refusal) {
		return fmt.Errorf("not refused by the server: %v", err)
	}
	c.equal("status", refusal.StatusCode, 400)
	c.equal("errors", refusal.Errors, []string{text})
	return nil
}
