package main

import (
	"errors"
	"fmt"

	"github.com/hashicorp/go-tfe"
)

func checkPolicySets(r *run, sets tfe.PolicySets, name string) {
	organization := needed("TFE_ORGANIZATION")
	create := func() (*tfe.PolicySet, error) {
		return sets.Create(ctx, organization, tfe.PolicySetCreateOptions{
			Name: tfe.String(name), Description: tfe.String("of a client"), AgentEnabled: tfe.Bool(true),
			PolicyToolVersion: tfe.String("0.40.0"), Overridable: tfe.Bool(true),
		})
	}
	step := func(name string, do func(*checks) error) { r.step("policy.PolicySet", name, do) }

	var id string
	step("create", func(c *checks) error {
		set, err := create()
		if err != nil {
			return err
		}
		id = set.ID
		samePolicySet(c, set, name, "of a client")
		c.equal("version", set.PolicyToolVersion, "0.40.0")
		c.holds("overridable", set.Overridable != nil && *set.Overridable)
		c.holds("a time of creation", !set.CreatedAt.IsZero())
		return nil
	})
	step("read", func(c *checks) error {
		set, err := sets.Read(ctx, id)
		if err != nil {
			return err
		}
		c.equal("id", set.ID, id)
		samePolicySet(c, set, name, "of a client")
		c.holds("its organization", set.Organization != nil && set.Organization.Name == organization)
		return nil
	})
	step("list", func(c *checks) error {
		list, err := sets.List(ctx, organization, &tfe.PolicySetListOptions{Search: name})
		if err != nil {
			return err
		}
		c.equal("total count", list.TotalCount, 1)
		c.equal("id", list.Items[0].ID, id)
		return nil
	})
	step("update", func(c *checks) error {
		set, err := sets.Update(ctx, id, tfe.PolicySetUpdateOptions{
			Description: tfe.String("changed"), AgentEnabled: tfe.Bool(false), Global: tfe.Bool(true),
		})
		if err != nil {
			return err
		}
		samePolicySet(c, set, name, "changed")
		c.holds("global", set.Global)
		// Outside of the agent there is neither.
		c.equal("version", set.PolicyToolVersion, "")
		c.holds("not overridable", set.Overridable == nil)
		return nil
	})
	step("error", func(c *checks) error {
		_, err := create()
		c.equal("error", fmt.Sprint(err), "invalid attribute\n\nName has already been taken")
		return nil
	})
	step("delete", func(c *checks) error {
		if err := sets.Delete(ctx, id); err != nil {
			return err
		}
		_, err := sets.Read(ctx, id)
		c.holds("gone", errors.Is(err, tfe.ErrResourceNotFound))
		return nil
	})
}

func samePolicySet(c *checks, got *tfe.PolicySet, name, description string) {
	c.equal("name", got.Name, name)
	c.equal("description", got.Description, description)
	c.equal("kind", got.Kind, tfe.Sentinel)
}
