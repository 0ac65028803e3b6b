package service

import (
	"context"
	"database/sql"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createUser(ctx context.Context, tx *sql.Tx, p ledger.UsersCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointUsersCreate, p.Body)
	id := e.add("users", "us", row{"email": p.Body.Email, "locale": p.Body.Locale, "state": "active"})
	return e.created(id, "/users/"+id)
}

func updateUser(ctx context.Context, tx *sql.Tx, p ledger.UsersUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointUsersUpdate, p.Body)
	e.need("users", p.Path.UserID)
	set := row{}
	put(set, "email", p.Body.Email)
	put(set, "locale", p.Body.Locale)
	e.update("users", p.Path.UserID, set)
	return e.changed(p.Path.UserID)
}

func deactivateUser(ctx context.Context, tx *sql.Tx, p ledger.UsersDeactivatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointUsersDeactivate, nil)
	e.need("users", p.Path.UserID)
	e.update("users", p.Path.UserID, row{"state": "inactive"})
	return e.changed(p.Path.UserID)
}

// grantRole may find the grant of an earlier time, and then gives it again: a row names a user and a
// role for good, its state says whether it holds now.
func grantRole(ctx context.Context, tx *sql.Tx, p ledger.UsersRolesGrantPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointUsersRolesGrant, nil)
	e.need("users", p.Path.UserID)
	e.need("roles", p.Path.RoleID)
	id := p.Path.UserID + "." + p.Path.RoleID
	e.upsert("role_grants", id, row{"user": p.Path.UserID, "role": p.Path.RoleID, "state": "given"})
	return e.changed(id)
}

func withdrawRole(ctx context.Context, tx *sql.Tx, p ledger.UsersRolesWithdrawPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointUsersRolesWithdraw, nil)
	id := p.Path.UserID + "." + p.Path.RoleID
	e.need("role_grants", id)
	return e.removed("role_grants", id)
}

func createRole(ctx context.Context, tx *sql.Tx, p ledger.RolesCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointRolesCreate, p.Body)
	id := e.add("roles", "ro", row{"name": p.Body.Name, "permissions": p.Body.Permissions, "state": "open"})
	return e.created(id, "/roles/"+id)
}

func updateRole(ctx context.Context, tx *sql.Tx, p ledger.RolesUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointRolesUpdate, p.Body)
	e.need("roles", p.Path.RoleID)
	set := row{}
	put(set, "name", p.Body.Name)
	put(set, "permissions", p.Body.Permissions)
	e.update("roles", p.Path.RoleID, set)
	return e.changed(p.Path.RoleID)
}

func deleteRole(ctx context.Context, tx *sql.Tx, p ledger.RolesDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointRolesDelete, nil)
	e.need("roles", p.Path.RoleID)
	return e.removed("roles", p.Path.RoleID)
}

func createGroup(ctx context.Context, tx *sql.Tx, p ledger.GroupsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointGroupsCreate, p.Body)
	id := e.add("groups", "gr", row{"name": p.Body.Name, "parent": p.Body.Parent, "state": "open"})
	return e.created(id, "/groups/"+id)
}

func replaceMembers(ctx context.Context, tx *sql.Tx, p ledger.GroupsMembersReplacePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointGroupsMembersReplace, p.Body)
	e.need("groups", p.Path.GroupID)
	e.exec(`UPDATE memberships SET state = 'gone' WHERE tenant = ? AND "group" = ?`, e.caller.Tenant, p.Path.GroupID)
	for _, user := range p.Body.Members {
		e.need("users", user)
		e.upsert("memberships", p.Path.GroupID+"."+user, row{"group": p.Path.GroupID, "user": user, "state": "member"})
	}
	e.answer.Rows = len(p.Body.Members)
	return e.changed(p.Path.GroupID)
}

func deleteGroup(ctx context.Context, tx *sql.Tx, p ledger.GroupsDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointGroupsDelete, nil)
	e.need("groups", p.Path.GroupID)
	return e.removed("groups", p.Path.GroupID)
}

// subjectRow is what both a registered and an imported subject keep.
func subjectRow(s ledger.NewSubject) row {
	return row{"external_id": s.ExternalID, "kind": s.Kind, "born": s.Born, "attributes": s.Attributes, "state": "known"}
}

func createSubject(ctx context.Context, tx *sql.Tx, p ledger.SubjectsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubjectsCreate, p.Body)
	id := e.add("subjects", "su", subjectRow(p.Body))
	return e.created(id, "/subjects/"+id)
}

func updateSubject(ctx context.Context, tx *sql.Tx, p ledger.SubjectsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubjectsUpdate, p.Body)
	e.need("subjects", p.Path.SubjectID)
	set := row{}
	put(set, "external_id", p.Body.ExternalID)
	put(set, "born", p.Body.Born)
	put(set, "attributes", p.Body.Attributes)
	e.update("subjects", p.Path.SubjectID, set)
	return e.changed(p.Path.SubjectID)
}

func mergeSubject(ctx context.Context, tx *sql.Tx, p ledger.SubjectsMergePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubjectsMerge, p.Body)
	e.need("subjects", p.Path.SubjectID)
	e.need("subjects", p.Body.Into)
	e.update("subjects", p.Path.SubjectID, row{"merged_into": p.Body.Into, "state": "merged"})
	return e.changed(p.Path.SubjectID)
}

func deleteSubject(ctx context.Context, tx *sql.Tx, p ledger.SubjectsDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubjectsDelete, p.Body)
	e.need("subjects", p.Path.SubjectID)
	return e.removed("subjects", p.Path.SubjectID)
}

// commitImport runs under a lease, since an import can be long; its rows still go in together.
func commitImport(ctx context.Context, tx *sql.Tx, p ledger.ImportsCommitPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointImportsCommit, p.Body)
	e.insert("imports", p.Path.ImportID, row{"mode": p.Body.Mode, "state": "committed"})
	for _, subject := range p.Body.Rows {
		e.add("subjects", "su", subjectRow(subject))
	}
	e.answer.Rows = 1 + len(p.Body.Rows)
	return e.created(p.Path.ImportID, "/imports/"+p.Path.ImportID)
}
