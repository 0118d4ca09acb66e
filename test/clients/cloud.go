package main

import (
	"errors"
	"maps"
	"os"
	"strings"
)

// checkCloud needs a cloud: a root user by its key, and another user for the static role.
func (s *secretsServer) checkCloud(mount string) {
	root := map[string]any{
		"access_key": needed("AWS_ACCESS_KEY_ID"),
		"secret_key": needed("AWS_SECRET_ACCESS_KEY"),
		"region":     "us-east-1",
		// Empty where the server has a cloud of its own.
		"iam_endpoint": os.Getenv("AWS_ENDPOINT_URL"),
		"sts_endpoint": os.Getenv("AWS_ENDPOINT_URL"),
	}
	for _, r := range []record{
		rootConfig(mount, root), leaseConfig(mount), cloudRole(mount), s.staticRole(mount, needed("CLOUD_STATIC_USER")),
	} {
		s.checkRecord(r)
	}
	s.checkRootRotation(mount)
}

func rootConfig(mount string, root map[string]any) record {
	path := mount + "/config/root"
	update := with(root, map[string]any{"max_retries": 3, "username_template": "ci-{{ random 10 }}"})
	return record{
		resource: "cloud.RootConfig",
		path:     path,
		create:   root,
		created: map[string]any{
			"access_key":             root["access_key"],
			"region":                 "us-east-1",
			"iam_endpoint":           root["iam_endpoint"],
			"max_retries":            -1,
			"identity_token_ttl":     0,
			"sts_fallback_endpoints": []string{},
		},
		update: update,
		updated: map[string]any{
			"access_key":        root["access_key"],
			"region":            "us-east-1",
			"max_retries":       3,
			"username_template": "ci-{{ random 10 }}",
		},
		mistake: mistake{
			path: path,
			body: map[string]any{"identity_token_audience": "vault", "access_key": root["access_key"]},
			text: "only one of 'access_key' or 'identity_token_audience' can be set",
		},
	}
}

func leaseConfig(mount string) record {
	path := mount + "/config/lease"
	return record{
		resource: "cloud.LeaseConfig",
		path:     path,
		create:   map[string]any{"lease": "1h", "lease_max": 86400},
		created:  map[string]any{"lease": "1h0m0s", "lease_max": "24h0m0s"},
		update:   map[string]any{"lease": "90s", "lease_max": "2d"},
		updated:  map[string]any{"lease": "1m30s", "lease_max": "48h0m0s"},
		mistake:  mistake{path: path, body: map[string]any{"lease": "1h"}, text: "'lease_max' is a required parameter"},
	}
}

func cloudRole(mount string) record {
	role, policy := "arn:aws:iam::123456789012:role/deploy", "arn:aws:iam::aws:policy/ReadOnlyAccess"
	return record{
		resource: "cloud.Role",
		path:     mount + "/roles/Deploy",
		create: map[string]any{
			"credential_type": "assumed_role",
			"role_arns":       []string{role},
			"policy_document": `{ "Version": "2012-10-17", "Statement": [] }`,
			"session_tags":    []string{"team=platform"},
			"default_sts_ttl": "15m",
		},
		created: map[string]any{
			"credential_type": "assumed_role",
			"role_arns":       []string{role},
			"policy_arns":     nil,
			"policy_document": `{"Version":"2012-10-17","Statement":[]}`,
			"session_tags":    map[string]string{"team": "platform"},
			"default_sts_ttl": 900,
			"user_path":       "",
		},
		listed: "Deploy",
		// Another type must clear what only the old one may have.
		update: map[string]any{
			"credential_type": "iam_user",
			"role_arns":       []string{},
			"session_tags":    map[string]string{},
			"default_sts_ttl": 0,
			"policy_arns":     []string{policy},
			"user_path":       "/ci/",
		},
		updated: map[string]any{
			"credential_type": "iam_user",
			"role_arns":       []string{},
			"policy_arns":     []string{policy},
			"policy_document": `{"Version":"2012-10-17","Statement":[]}`,
			"session_tags":    map[string]string{},
			"default_sts_ttl": 0,
			"user_path":       "/ci/",
		},
		deletes: true,
		mistake: mistake{
			path: mount + "/roles/typeless",
			body: map[string]any{"policy_arns": []string{policy}},
			text: `error(s) validating supplied role data: "1 error occurred:\n\t* did not supply credential_type\n\n"`,
		},
	}
}

func (s *secretsServer) staticRole(mount, user string) record {
	created := map[string]any{"name": "app", "username": user, "rotation_period": 86400}
	r := record{
		resource: "cloud.StaticRole",
		path:     mount + "/static-roles/app",
		create:   map[string]any{"username": user, "rotation_period": "24h"},
		created:  created,
		listed:   "app",
		update:   map[string]any{"rotation_period": 3600},
		updated:  with(created, map[string]any{"rotation_period": 3600}),
		deletes:  true,
		answers:  true,
		mistake: mistake{
			path: mount + "/static-roles/never",
			body: map[string]any{"username": user},
			text: `missing "rotation_period" parameter`,
		},
	}
	// That list came later.
	if strings.HasPrefix(s.version, "1.19.") {
		r.listed = ""
	}
	return r
}

func (s *secretsServer) checkRootRotation(mount string) {
	logical := s.client.Logical()
	key := needed("AWS_ACCESS_KEY_ID")
	rotate := func(c *checks) error {
		answer, err := logical.Write(mount+"/config/rotate-root", nil)
		if err != nil {
			return err
		}
		if answer == nil {
			return errors.New("the rotation answers with nothing")
		}
		next, isText := answer.Data["access_key"].(string)
		c.holds("an access key", isText && next != "")
		c.holds("another access key", next != key)
		c.equal("members", sortedKeys(answer.Data), []string{"access_key"})
		key = next
		return nil
	}
	compare := func(c *checks) error {
		return s.compare(c, mount+"/config/root", map[string]any{"access_key": key, "region": "us-east-1"})
	}
	s.step("cloud.RootRotation", "create", rotate)
	s.step("cloud.RootRotation", "read", compare)
	s.step("cloud.RootRotation", "update", func(c *checks) error {
		if err := rotate(c); err != nil {
			return err
		}
		return compare(c)
	})
	s.step("cloud.RootRotation", "error", func(c *checks) error {
		if _, err := logical.Write(mount+"/config/root", map[string]any{"access_key": "", "secret_key": ""}); err != nil {
			return err
		}
		_, err := logical.Write(mount+"/config/rotate-root", nil)
		return refused(c, err, "Cannot call config/rotate-root when either access_key or secret_key is empty")
	})
}

func with(record, changes map[string]any) map[string]any {
	changed := maps.Clone(record)
	maps.Copy(changed, changes)
	return changed
}
