// Package stores runs the rules of storetest on every store over real drivers, and what is special about
// each: its locks, its migrations, its crashes. It has tests only.
package stores
