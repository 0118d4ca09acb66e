package main

import (
	"errors"
	"fmt"

	"github.com/hashicorp/consul/api"
)

// entries are the config entries of a cluster.
type entries struct {
	*run
	*api.ConfigEntries
}

func checkConfigEntries(r *run, suffix string) {
	e := &entries{run: r, ConfigEntries: consul(needed("CONSUL_HTTP_ADDR"), needed("CONSUL_HTTP_TOKEN")).ConfigEntries()}
	e.checkExportedServices()
	e.checkIntention("web-" + suffix)
}

func (e *entries) checkExportedServices() {
	const resource, kind, name = "cluster.ExportedServices", api.ExportedServices, "default"
	to := func(peers ...string) *api.ExportedServicesConfigEntry {
		service := api.ExportedService{Name: "web"}
		for _, peer := range peers {
			service.Consumers = append(service.Consumers, api.ServiceConsumer{Peer: peer})
		}
		return &api.ExportedServicesConfigEntry{Name: name, Services: []api.ExportedService{service}, Meta: map[string]string{"team": "platform"}}
	}
	var first uint64
	e.step(resource, "create", func(c *checks) error { return e.written(c, to("west", "east")) })
	e.step(resource, "read", func(c *checks) error {
		found, err := get[*api.ExportedServicesConfigEntry](e, kind, name)
		if err != nil {
			return err
		}
		first = found.ModifyIndex
		c.equal("services", found.Services, to("west", "east").Services)
		c.equal("meta", found.Meta, to().Meta)
		c.holds("an index", found.ModifyIndex >= found.CreateIndex && found.CreateIndex > 0)
		return nil
	})
	e.step(resource, "list", func(c *checks) error { return e.listed(c, kind, name) })
	e.step(resource, "update", func(c *checks) error {
		if err := e.written(c, to("north")); err != nil {
			return err
		}
		found, err := get[*api.ExportedServicesConfigEntry](e, kind, name)
		if err != nil {
			return err
		}
		c.equal("services", found.Services, to("north").Services)
		c.holds("a higher index", found.ModifyIndex > first)
		return nil
	})
	e.step(resource, "error", func(c *checks) error {
		_, _, err := e.Set(to(), nil)
		return refusedWith500(c, err, "Services[0]: must have at least one consumer")
	})
	e.step(resource, "delete", func(c *checks) error { return e.removed(c, kind, name) })
}

func (e *entries) checkIntention(name string) {
	const resource, kind = "cluster.Intention", api.ServiceIntentions
	from := func(sources ...*api.SourceIntention) *api.ServiceIntentionsConfigEntry {
		return &api.ServiceIntentionsConfigEntry{Kind: kind, Name: name, Sources: sources}
	}
	anyone := &api.SourceIntention{Name: "*", Action: api.IntentionActionDeny}
	peer := &api.SourceIntention{Name: "shop", Peer: "west", Action: api.IntentionActionAllow, Description: "orders"}
	e.step(resource, "create", func(c *checks) error { return e.written(c, from(anyone, peer)) })
	e.step(resource, "read", func(c *checks) error {
		found, err := get[*api.ServiceIntentionsConfigEntry](e, kind, name)
		if err != nil {
			return err
		}
		c.equal("name", found.Name, name)
		if len(found.Sources) != 2 {
			return fmt.Errorf("there are %d sources", len(found.Sources))
		}
		// The exact name comes first.
		c.equal("first source", found.Sources[0].Name, "shop")
		c.equal("peer", found.Sources[0].Peer, "west")
		c.equal("description", found.Sources[0].Description, "orders")
		c.equal("precedence", []int{found.Sources[0].Precedence, found.Sources[1].Precedence}, []int{9, 8})
		c.equal("type", found.Sources[0].Type, api.IntentionSourceConsul)
		return nil
	})
	e.step(resource, "list", func(c *checks) error { return e.listed(c, kind, name) })
	e.step(resource, "update", func(c *checks) error {
		if err := e.written(c, from(anyone)); err != nil {
			return err
		}
		found, err := get[*api.ServiceIntentionsConfigEntry](e, kind, name)
		if err == nil {
			c.equal("sources", len(found.Sources), 1)
		}
		return err
	})
	e.step(resource, "error", func(c *checks) error {
		_, _, err := e.Set(from(), nil)
		return refusedWith500(c, err, "At least one source is required")
	})
	e.step(resource, "delete", func(c *checks) error { return e.removed(c, kind, name) })
}

func (e *entries) written(c *checks, entry api.ConfigEntry) error {
	ok, _, err := e.Set(entry, nil)
	c.holds("written", ok)
	return err
}

func get[Entry api.ConfigEntry](e *entries, kind, name string) (Entry, error) {
	entry, _, err := e.Get(kind, name, nil)
	found, isOne := entry.(Entry)
	if err == nil && !isOne {
		err = fmt.Errorf("%s/%s is a %T", kind, name, entry)
	}
	return found, err
}

func (e *entries) listed(c *checks, kind, name string) error {
	list, meta, err := e.List(kind, nil)
	if err != nil {
		return err
	}
	c.holds("an index", meta.LastIndex > 0)
	found := false
	for _, entry := range list {
		found = found || entry.GetName() == name
	}
	c.holds("listed", found)
	return nil
}

func (e *entries) removed(c *checks, kind, name string) error {
	if _, err := e.Delete(kind, name, nil); err != nil {
		return err
	}
	_, _, err := e.Get(kind, name, nil)
	var refusal api.StatusError
	if !errors.As(err, &refusal) {
		return fmt.Errorf("it is still there: %v", err)
	}
	c.equal("status", refusal.Code, 404)
	return nil
}
