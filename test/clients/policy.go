package main

import (
	"errors"
	"fmt"

	"github.com/hashicorp/go-tfe"
)

func checkPolicy(r *run, suffix string) {
	needed("TFE_ADDRESS")
	needed("TFE_TOKEN")
	set := needed("TFE_POLICY_SET")
	client, err := tfe.NewClient(tfe.DefaultConfig())
	if err != nil {
		fail(err.Error())
	}
	parameters, key := client.PolicySetParameters, "limit-"+suffix
	create := func() (*tfe.PolicySetParameter, error) {
		return parameters.Create(ctx, set, tfe.PolicySetParameterCreateOptions{
			Key: tfe.String(key), Value: tfe.String("5"), Category: tfe.Category(tfe.CategoryPolicySet),
		})
	}
	step := func(name string, do func(*checks) error) { r.step("policy.Parameter", name, do) }

	var id string
	step("create", func(c *checks) error {
		c.holds("an API version", client.RemoteAPIVersion() != "")
		c.holds("a product", client.AppName() != "")
		parameter, err := create()
		if err != nil {
			return err
		}
		id = parameter.ID
		sameParameter(c, parameter, tfe.PolicySetParameter{Key: key, Value: "5"}, set)
		return nil
	})
	step("read", func(c *checks) error {
		parameter, err := parameters.Read(ctx, set, id)
		if err != nil {
			return err
		}
		c.equal("id", parameter.ID, id)
		sameParameter(c, parameter, tfe.PolicySetParameter{Key: key, Value: "5"}, set)
		return nil
	})
	step("list", func(c *checks) error { return listParameters(c, parameters, set, key) })
	step("update", func(c *checks) error {
		parameter, err := parameters.Update(ctx, set, id, tfe.PolicySetParameterUpdateOptions{
			Value: tfe.String("secret"), Sensitive: tfe.Bool(true),
		})
		if err != nil {
			return err
		}
		// A sensitive value never comes back.
		sameParameter(c, parameter, tfe.PolicySetParameter{Key: key, Value: "", Sensitive: true}, set)
		return nil
	})
	step("error", func(c *checks) error {
		_, err := create()
		c.equal("error", fmt.Sprint(err), "invalid attribute\n\nKey has already been taken")
		return nil
	})
	step("delete", func(c *checks) error {
		if err := parameters.Delete(ctx, set, id); err != nil {
			return err
		}
		_, err := parameters.Read(ctx, set, id)
		c.holds("gone", errors.Is(err, tfe.ErrResourceNotFound))
		return nil
	})
	checkPolicySets(r, client.PolicySets, "set-"+suffix)
}

// listParameters reads the list as a whole and in pages of one.
func listParameters(c *checks, parameters tfe.PolicySetParameters, set, key string) error {
	second, err := parameters.Create(ctx, set, tfe.PolicySetParameterCreateOptions{
		Key: tfe.String(key + "-2"), Category: tfe.Category(tfe.CategoryPolicySet),
	})
	if err != nil {
		return err
	}
	whole, err := parameters.List(ctx, set, nil)
	if err != nil {
		return err
	}
	var paged []*tfe.PolicySetParameter
	for page := 1; page != 0; {
		list, err := parameters.List(ctx, set, &tfe.PolicySetParameterListOptions{
			ListOptions: tfe.ListOptions{PageNumber: page, PageSize: 1},
		})
		if err != nil {
			return err
		}
		c.equal("total count", list.TotalCount, len(whole.Items))
		paged = append(paged, list.Items...)
		page = list.NextPage
	}
	c.holds("both are listed", keysOf(whole.Items)[key] && keysOf(whole.Items)[key+"-2"])
	c.equal("keys of all pages", keysOf(paged), keysOf(whole.Items))
	return parameters.Delete(ctx, set, second.ID)
}

func sameParameter(c *checks, got *tfe.PolicySetParameter, want tfe.PolicySetParameter, set string) {
	c.equal("key", got.Key, want.Key)
	c.equal("value", got.Value, want.Value)
	c.equal("sensitive", got.Sensitive, want.Sensitive)
	c.equal("category", got.Category, tfe.CategoryPolicySet)
	c.holds("its policy set", got.PolicySet != nil && got.PolicySet.ID == set)
}

func keysOf(parameters []*tfe.PolicySetParameter) map[string]bool {
	keys := map[string]bool{}
	for _, parameter := range parameters {
		keys[parameter.Key] = true
	}
	return keys
}
