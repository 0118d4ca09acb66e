//go:build tools

// Package tools names the program that is built from this module: OpenTofu, the other CLI that speaks Terraform's protocol.
package tools

import _ "github.com/opentofu/opentofu/cmd/tofu"
