package service

import (
	"database/sql"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

// keyed are the document's keyed operations in its order. Appends are joined with their records in one
// transaction (Handle…Tx); what runs alone holds a lease.
func keyed(svc *idem.Service, store idem.TxStore[*sql.Tx], db *sql.DB) []*idem.Handler {
	return []*idem.Handler{
		ledger.HandleEvaluationsCreateTx(svc, store, createEvaluation),
		ledger.HandleEvaluationsUpdateTx(svc, store, updateEvaluation),
		ledger.HandleEvaluationsDeleteTx(svc, store, deleteEvaluation),
		ledger.HandleEvaluationsVersionsCreateTx(svc, store, createVersion),
		ledger.HandleEvaluationsVersionsPublishTx(svc, store, publishVersion),
		ledger.HandleEvaluationsVersionsRetireTx(svc, store, retireVersion),
		ledger.HandleEvaluationsFeedbackCreateTx(svc, store, createFeedback),
		ledger.HandleEvaluationsFeedbackDeleteTx(svc, store, deleteFeedback),
		ledger.HandleEvaluationsSectionsCreateTx(svc, store, createSection),
		ledger.HandleEvaluationsSectionsReorderTx(svc, store, reorderSections),
		ledger.HandleEvaluationsSectionsUpdateTx(svc, store, updateSection),
		ledger.HandleEvaluationsSectionsDeleteTx(svc, store, deleteSection),
		ledger.HandleEvaluationsItemsCreateTx(svc, store, createItem),
		ledger.HandleEvaluationsItemsUpdateTx(svc, store, updateItem),
		ledger.HandleEvaluationsItemsDeleteTx(svc, store, deleteItem),
		ledger.HandleEvaluationsBucketsCreateTx(svc, store, createBucket),
		ledger.HandleEvaluationsBucketsUpdateTx(svc, store, updateBucket),
		ledger.HandleEvaluationsBucketsDeleteTx(svc, store, deleteBucket),

		ledger.HandleQuestionsCreateTx(svc, store, createQuestion),
		ledger.HandleQuestionsUpdateTx(svc, store, updateQuestion),
		ledger.HandleQuestionsDeleteTx(svc, store, deleteQuestion),
		ledger.HandleQuestionsPublishTx(svc, store, publishQuestion),

		ledger.HandlePassagesCreateTx(svc, store, createPassage),
		ledger.HandlePassagesUpdateTx(svc, store, updatePassage),
		ledger.HandlePassagesDeleteTx(svc, store, deletePassage),

		ledger.HandleProgrammesCreateTx(svc, store, createProgramme),
		ledger.HandleProgrammesUpdateTx(svc, store, updateProgramme),
		ledger.HandleProgrammesArchiveTx(svc, store, archiveProgramme),
		ledger.HandleProgrammesRequirementsCreateTx(svc, store, createRequirement),
		ledger.HandleProgrammesRequirementsUpdateTx(svc, store, updateRequirement),
		ledger.HandleProgrammesRequirementsDeleteTx(svc, store, deleteRequirement),
		ledger.HandleProgrammesEnrolmentsCreateTx(svc, store, createEnrolment),
		ledger.HandleProgrammesEnrolmentsUpdateTx(svc, store, updateEnrolment),
		ledger.HandleProgrammesEnrolmentsWithdrawTx(svc, store, withdrawEnrolment),

		ledger.HandleUsersCreateTx(svc, store, createUser),
		ledger.HandleUsersUpdateTx(svc, store, updateUser),
		ledger.HandleUsersDeactivateTx(svc, store, deactivateUser),
		ledger.HandleUsersRolesGrantTx(svc, store, grantRole),
		ledger.HandleUsersRolesWithdrawTx(svc, store, withdrawRole),

		ledger.HandleRolesCreateTx(svc, store, createRole),
		ledger.HandleRolesUpdateTx(svc, store, updateRole),
		ledger.HandleRolesDeleteTx(svc, store, deleteRole),

		ledger.HandleGroupsCreateTx(svc, store, createGroup),
		ledger.HandleGroupsMembersReplaceTx(svc, store, replaceMembers),
		ledger.HandleGroupsDeleteTx(svc, store, deleteGroup),

		ledger.HandleSubjectsCreateTx(svc, store, createSubject),
		ledger.HandleSubjectsUpdateTx(svc, store, updateSubject),
		ledger.HandleSubjectsDeleteTx(svc, store, deleteSubject),
		ledger.HandleSubjectsMergeTx(svc, store, mergeSubject),

		ledger.HandleImportsCommit(svc, alone(db, commitImport)),

		ledger.HandleAssignmentsCreateTx(svc, store, createAssignments),
		ledger.HandleAssignmentsUpdateTx(svc, store, updateAssignment),
		ledger.HandleAssignmentsCancelTx(svc, store, cancelAssignment),
		ledger.HandleAssignmentsRedeemTx(svc, store, redeemAssignment),
		ledger.HandleAssignmentsOverridesCreateTx(svc, store, createOverride),
		ledger.HandleAssignmentsOverridesDeleteTx(svc, store, deleteOverride),
		ledger.HandleAssignmentsSchedulesCreateTx(svc, store, createSchedule),
		ledger.HandleAssignmentsSchedulesUpdateTx(svc, store, updateSchedule),
		ledger.HandleAssignmentsSchedulesDeleteTx(svc, store, deleteSchedule),

		ledger.HandleSubmissionsCreateTx(svc, store, createSubmission),
		ledger.HandleSubmissionsEvidenceCreateTx(svc, store, createEvidence),
		ledger.HandleSubmissionsEvidenceUploadTx(svc, store, uploadEvidence),
		ledger.HandleSubmissionsEvidenceApproveTx(svc, store, approveEvidence),
		ledger.HandleSubmissionsEvidenceRejectTx(svc, store, rejectEvidence),
		ledger.HandleSubmissionsEvidenceActionsCreateTx(svc, store, actOnEvidence),
		ledger.HandleSubmissionsReviewsCreateTx(svc, store, reviewSubmission),
		ledger.HandleSubmissionsHashTx(svc, store, hashSubmission),
		ledger.HandleSubmissionsVoidTx(svc, store, voidSubmission),
		ledger.HandleSubmissionsSubjectsLinkTx(svc, store, linkSubject),
		ledger.HandleSubmissionsSubjectsUnlinkTx(svc, store, unlinkSubject),

		ledger.HandleClaimsCreateTx(svc, store, createClaim),
		ledger.HandleClaimsEventsAppendTx(svc, store, appendClaimEvent),

		ledger.HandleDisputesCreateTx(svc, store, createDispute),
		ledger.HandleDisputesEventsAppendTx(svc, store, appendDisputeEvent),

		ledger.HandleEngagementsCreateTx(svc, store, createEngagement),
		ledger.HandleEngagementsUpdateTx(svc, store, updateEngagement),
		ledger.HandleEngagementsEventsAppendTx(svc, store, appendEngagementEvent),
		ledger.HandleEngagementsRatifyTx(svc, store, ratifyEngagement),
		ledger.HandleEngagementsHashTx(svc, store, hashEngagement),

		ledger.HandleRemediationBatchesCreateTx(svc, store, createBatch),
		ledger.HandleRemediationBatchesApplyTx(svc, store, applyBatch),
		ledger.HandleRemediationBatchesRevertTx(svc, store, revertBatch),

		ledger.HandleComplianceJobsCreate(svc, alone(db, createComplianceJob)),

		ledger.HandleReportingProjectionsEnqueueTx(svc, store, enqueueProjection),
		ledger.HandleReportingPercentilesRecompute(svc, alone(db, recomputePercentiles)),

		ledger.HandleSessionsCreateTx(svc, store, createSession),
		ledger.HandleSessionsAnswerTx(svc, store, answerItem),
		ledger.HandleSessionsSubmitTx(svc, store, submitSession),
	}
}
