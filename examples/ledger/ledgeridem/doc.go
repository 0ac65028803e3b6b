// Package ledgeridem is what idemgen generated from the ledger's OpenAPI document: for each keyed
// operation its endpoint key, its typed payload and its wrapper. Only this file is written by hand.
package ledgeridem

//go:generate go tool idemgen generate ../openapi.yaml
