// Package generations has two generations of one document, each with the package that is generated for it, and tests
// that run both on one store, as a deploy does. The second renames an endpoint and a path parameter, which no client
// and no record may notice, and changes what is compared, which every retry across the deploy survives.
package generations
