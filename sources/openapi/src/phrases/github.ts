// table
/** How people ask for GitHub's operations, one operation a line. */
export const GITHUB_PHRASES = `
pulls/create: open a pull request; propose my changes; submit a PR; send my branch for review; create a draft pull request; ask to merge my branch into main
pulls/list: list pull requests; open PRs; which pull requests wait for review; what is waiting to be merged; closed PRs
pulls/get: details of a pull request; can the PR be merged; does it have conflicts; who opened the pull request; what is the PR about
pulls/update: close a pull request without merging; rename a pull request; reopen a PR; change the description of a PR; change the base branch of a PR
pulls/merge: merge a pull request; squash and merge; land the PR; rebase and merge; bring the changes into main
pulls/check-if-merged: was the pull request merged; has the PR landed
pulls/list-files: which files does the PR change; changed files of a pull request; diff of a pull request; what did he touch
pulls/list-commits: commits of a pull request; what was committed in the PR
pulls/list-reviews: reviews of a pull request; who approved the PR; who reviewed; did anyone request changes; is it approved
pulls/create-review: approve a pull request; review a PR; request changes; give feedback on code; sign off on the changes; looks good to me
pulls/submit-review: submit my pending review; finish the review I started
pulls/dismiss-review: dismiss a review; throw out an outdated approval; ignore his requested changes
pulls/update-review: edit the summary of my review
pulls/delete-pending-review: discard my unfinished review
pulls/get-review: details of one review
pulls/request-reviewers: ask someone to review; request a review; assign reviewers; add a reviewer to the PR
pulls/remove-requested-reviewers: remove a reviewer; withdraw a review request; she doesn't have to review it any more
pulls/list-requested-reviewers: who was asked to review; whose review is still missing; pending reviewers
pulls/create-review-comment: comment on a line of code; leave a remark on the diff; line comment in a pull request
pulls/list-review-comments: comments on the code of a pull request; line comments; what did reviewers remark in the diff
pulls/create-reply-for-review-comment: reply to a review comment; answer a reviewer's remark
pulls/update-review-comment: edit a comment on the code
pulls/delete-review-comment: delete a comment on the code
pulls/update-branch: update the PR branch with main; bring the pull request up to date; sync with the base branch
issues/create: open an issue; file a bug; report a problem; create a ticket; write down a feature request; log a task
issues/list-for-repo: list issues; open bugs; which tickets are open; issues with a label; unassigned issues; what is left to fix; issues assigned to someone
issues/list: issues assigned to me; my tickets across repositories; what do I have to work on
issues/list-for-authenticated-user: my issues in all my repositories; tickets assigned to me
issues/list-for-org: my issues in an organization; tickets of the organization assigned to me
issues/get: read an issue; details of a ticket; status of a bug; who is working on the issue; is the issue closed
issues/update: close an issue; reopen a ticket; rename an issue; edit the description of an issue; mark a bug as done; set the milestone of an issue; resolve a ticket; close as not planned
issues/create-comment: comment on an issue; reply in a ticket; comment on a pull request; leave a note under the bug; tell the reporter we are looking into it; write under an issue
issues/list-comments: comments on an issue; the discussion under a ticket; what did people say about the bug
issues/list-comments-for-repo: all comments in a repository; latest issue comments
issues/update-comment: edit my comment; fix a typo in a comment; correct what I wrote under an issue
issues/delete-comment: delete a comment; remove what I wrote under an issue; take down an offensive comment
issues/get-comment: read one comment
issues/pin-comment: pin a comment on an issue
issues/add-labels: label an issue; tag a ticket as bug; add a label to a PR; mark as urgent
issues/set-labels: replace the labels of an issue; set exactly these labels
issues/remove-label: remove a label from an issue; untag a ticket; take the label off
issues/remove-all-labels: remove all labels from an issue; clear the tags
issues/list-labels-on-issue: labels of an issue; how is the ticket tagged
issues/list-labels-for-repo: which labels does the repository have; list labels; available tags
issues/create-label: create a label; new tag for issues; add a label called urgent with a red colour
issues/update-label: rename a label; change the colour of a label
issues/delete-label: delete a label; remove a tag from the repository
issues/get-label: details of a label
issues/add-assignees: assign an issue to someone; give the ticket to a colleague; put a person in charge of the bug; make her responsible
issues/remove-assignees: unassign someone; take a ticket away from a person; he no longer works on this
issues/list-assignees: who can be assigned; people issues can be given to
issues/check-user-can-be-assigned: can this person be assigned to issues
issues/lock: lock a conversation; stop people from commenting; lock a heated discussion; close comments
issues/unlock: unlock a conversation; allow comments again; reopen the discussion for comments
issues/create-milestone: create a milestone; plan a release with a due date; new sprint goal
issues/list-milestones: list milestones; which releases are planned; upcoming deadlines
issues/get-milestone: how far is the milestone; details of a milestone; due date of a release
issues/update-milestone: close a milestone; move the due date of a milestone; rename a milestone; postpone the deadline
issues/delete-milestone: delete a milestone
issues/list-events-for-timeline: timeline of an issue; everything that happened to a ticket
issues/list-events: events of an issue; who closed the ticket; when was the label added
issues/list-sub-issues: sub-issues; parts of a big ticket; child tasks
issues/add-sub-issue: add a sub-issue; make a ticket part of another; link a child task
issues/remove-sub-issue: remove a sub-issue; detach a child task
issues/get-parent: parent of an issue; which bigger ticket does it belong to
issues/add-blocked-by-dependency: mark an issue as blocked by another; this ticket depends on that one
issues/list-dependencies-blocked-by: what blocks this issue; which tickets is it waiting for
reactions/create-for-issue: react to an issue; thumbs up an issue; add an emoji to a pull request
reactions/create-for-issue-comment: react to a comment; thumbs up a comment; heart a comment
reactions/list-for-issue: reactions to an issue; how many thumbs up does the issue have; who upvoted the feature request
reactions/list-for-issue-comment: reactions to a comment
reactions/delete-for-issue: remove my reaction from an issue
reactions/create-for-release: react to a release
repos/get: details of a repository; when was the repo last updated; how many stars does the project have; what is the default branch; is the repo private
repos/list-for-authenticated-user: list my repositories; all my projects; what repos do I have
repos/list-for-org: repositories of an organization; projects of the company; private repos of our org
repos/list-for-user: repositories of a user; what projects does he have
repos/create-for-authenticated-user: create a repository; new repo; start a new project; make a private repository for me
repos/create-in-org: create a repository in the organization; new repo for the team; start a company project
repos/create-using-template: create a repository from a template; new project based on our template
repos/create-fork: fork a repository; make my own copy of a project
repos/list-forks: who forked the repository; list forks; copies of our project
repos/update: rename a repository; make a repo private; archive a repository; change the description of a repo; change the default branch; turn off the wiki; make it public; allow only squash merging; delete branches automatically after merging; make the repo read-only
repos/delete: delete a repository; remove a project for good; get rid of an old repo
repos/transfer: transfer a repository to another owner; move a project to the organization; hand over the repo
repos/get-content: read a file; show the contents of a folder; what is in package.json; open a file of the repository; list files in a directory
repos/get-readme: read the README; what does the project do; show the documentation page
repos/create-or-update-file-contents: create a file; change a file in the repository; commit an edit; update the README; add a file; write a file to the repo; fix a typo in a file
repos/delete-file: delete a file from the repository; remove a file with a commit
repos/list-commits: list commits; recent changes; what changed lately; commit history; who changed this file; what did someone commit last week; latest commits on a branch
repos/get-commit: details of a commit; what did this commit change; diff of a commit; who made this change
repos/compare-commits-with-basehead: compare two branches; what changed between two versions; diff between tags; how far is the branch behind main; difference between releases
repos/list-branches: list branches; which branches exist; stale branches
repos/get-branch: details of a branch; latest commit on a branch; is the branch protected
repos/rename-branch: rename a branch; change master to main
repos/merge: merge a branch into another; merge develop into main without a pull request
repos/merge-upstream: sync my fork; update the fork with upstream; pull changes from the original project
git/create-ref: create a branch; new branch from main; cut a release branch; create a tag reference
git/delete-ref: delete a branch; remove a merged branch; delete a tag; clean up an old branch
git/get-ref: where does a branch point; commit of a tag; sha of a branch
git/update-ref: move a branch to another commit; force push; reset a branch
git/list-matching-refs: references that start with a name
git/create-tag: create an annotated tag; tag object
git/get-tree: list all files of the repository; file tree; folder structure
git/create-commit: create a commit object
git/create-blob: create a blob
git/create-tree: create a tree of files
repos/list-tags: list tags; which versions were tagged
repos/create-release: publish a release; create a new version; ship version 2.0; release notes and tag; cut a release; draft a release
repos/list-releases: list releases; which versions were published; release history; changelog
repos/get-latest-release: latest release; newest version; what is the current version; most recent release notes
repos/get-release-by-tag: release of a tag; what was in version 1.4
repos/get-release: details of a release
repos/update-release: edit a release; fix the release notes; mark a release as a pre-release; publish a draft release
repos/delete-release: delete a release; pull a broken version; unpublish a release
repos/generate-release-notes: generate release notes; write the changelog automatically
repos/list-release-assets: files attached to a release; downloads of a release; how often was the release downloaded
repos/get-release-asset: download a file of a release; one release download
repos/delete-release-asset: delete a file of a release
repos/update-release-asset: rename a file of a release
repos/add-collaborator: give someone access to a repository; invite a collaborator; let a freelancer push; add a person to the repo; grant write access
repos/remove-collaborator: remove someone's access to a repository; kick a collaborator out; he should no longer see the repo
repos/list-collaborators: who has access to the repository; list collaborators; who can push
repos/check-collaborator: is someone a collaborator; does he have access
repos/get-collaborator-permission-level: what permission does a person have; is she an admin of the repo; what may he do in the repository
repos/list-invitations: pending invitations to a repository; who has not accepted yet
repos/delete-invitation: cancel an invitation to a repository; withdraw a repo invitation
repos/update-invitation: change the permission of an invitation
repos/list-invitations-for-authenticated-user: invitations I received; which repos was I invited to
repos/accept-invitation-for-authenticated-user: accept an invitation to a repository; join the repo I was invited to
repos/decline-invitation-for-authenticated-user: decline an invitation to a repository; say no to a repo invitation
repos/list-contributors: who contributed to the project; list contributors; top committers; who wrote the most code
repos/get-contributors-stats: commits per contributor; additions and deletions by person; contribution statistics
repos/list-languages: which programming languages are used; language breakdown; what is it written in
repos/get-all-topics: topics of a repository; keywords of a project
repos/replace-all-topics: set the topics of a repository; tag the project with keywords
repos/list-teams: which teams have access to the repository
repos/get-views: how many people looked at the repository; page views; traffic; visitors
repos/get-clones: how often was the repo cloned; clone traffic
repos/get-top-referrers: where do visitors come from; top referrers
repos/get-top-paths: most visited pages of the repository; popular content
repos/get-commit-activity-stats: commits per week of the last year; commit activity
repos/get-code-frequency-stats: additions and deletions per week; how much code was added
repos/get-participation-stats: weekly commit count of owner and others
repos/get-punch-card-stats: at which hours do we commit; commits by hour of day
repos/get-community-profile-metrics: community profile; does the project have a code of conduct and contributing guide; health of the project
repos/download-zipball-archive: download the repository as a zip; get the source code
repos/download-tarball-archive: download the repository as a tarball
repos/create-commit-comment: comment on a commit
repos/list-comments-for-commit: comments on a commit
repos/create-commit-status: set the status of a commit; mark a commit as passed; report a build result
repos/get-combined-status-for-ref: did the checks pass for a commit; is the build green; combined status of a branch; CI status of a commit
repos/list-commit-statuses-for-ref: statuses of a commit; list all build results of a commit
repos/list-pull-requests-associated-with-commit: which pull request introduced this commit; PRs that contain a commit
repos/list-branches-for-head-commit: branches where this commit is the latest
checks/list-for-ref: check runs of a commit; which checks failed on the branch; are tests green
checks/create: create a check run; report test results
checks/get: details of a check run; why did the check fail
checks/update: update a check run; mark a check as completed
checks/list-annotations: annotations of a check; lint errors of a check run
checks/rerequest-run: rerun a check; run a check again
checks/rerequest-suite: rerun a check suite
repos/get-branch-protection: protection rules of a branch; is main protected; how many approvals are required
repos/update-branch-protection: protect a branch; require reviews before merging; nobody should push to main directly; require passing tests before merge; branch protection
repos/delete-branch-protection: remove the protection of a branch; unprotect main
repos/update-pull-request-review-protection: require two approvals; change the number of required reviews
repos/delete-pull-request-review-protection: no longer require reviews on a branch
repos/update-status-check-protection: require status checks before merging
repos/set-admin-branch-protection: apply branch protection to admins too
repos/create-commit-signature-protection: require signed commits
repos/create-repo-ruleset: create a ruleset; new rules for branches
repos/get-repo-rulesets: list rulesets of a repository; which rules apply
repos/update-repo-ruleset: change a ruleset
repos/delete-repo-ruleset: delete a ruleset
repos/get-branch-rules: which rules apply to a branch
repos/create-webhook: add a webhook to a repository; notify a URL on every push; call our server when something happens in the repo
repos/list-webhooks: webhooks of a repository; which URLs are notified
repos/get-webhook: details of a webhook
repos/update-webhook: change a webhook; disable a webhook; send more events to a hook
repos/delete-webhook: delete a webhook; stop notifying a URL
repos/ping-webhook: test a webhook; ping a hook
repos/test-push-webhook: trigger a test push for a webhook
repos/list-webhook-deliveries: deliveries of a webhook; which webhook calls failed
repos/redeliver-webhook-delivery: redeliver a webhook; send the event again
repos/create-deploy-key: add a deploy key; let a server read the repository; SSH key for one repository
repos/list-deploy-keys: deploy keys of a repository; which servers have access
repos/delete-deploy-key: remove a deploy key; revoke a server's access to the repo
repos/create-deployment: create a deployment; deploy a branch to production; start a deployment
repos/list-deployments: list deployments; what was deployed; when was the last deployment to production
repos/get-deployment: details of a deployment
repos/create-deployment-status: mark a deployment as successful; report that a deployment failed
repos/list-deployment-statuses: status of a deployment; did the deployment succeed
repos/delete-deployment: delete a deployment
repos/get-all-environments: list environments; staging and production environments of a repository
repos/get-environment: details of an environment; who must approve deployments
repos/create-or-update-environment: create an environment; require approval before deploying to production; set up staging
repos/delete-an-environment: delete an environment
repos/create-dispatch-event: trigger a repository dispatch; fire a custom event
repos/create-pages-site: publish the docs with GitHub Pages; turn on Pages; host a website from the repo
repos/get-pages: details of the Pages site; what is the URL of our site
repos/update-information-about-pages-site: set a custom domain for Pages; force HTTPS on our site
repos/delete-pages-site: take the Pages site down; turn off GitHub Pages
repos/request-pages-build: rebuild the Pages site
repos/list-pages-builds: builds of the Pages site
repos/get-latest-pages-build: did the last Pages build work
repos/list-activities: activity of a repository; who pushed; force pushes and branch deletions
repos/enable-vulnerability-alerts: turn on Dependabot alerts; warn me about vulnerable dependencies
repos/disable-vulnerability-alerts: turn off Dependabot alerts
repos/check-vulnerability-alerts: are Dependabot alerts enabled
repos/enable-automated-security-fixes: let Dependabot open security updates automatically
repos/disable-automated-security-fixes: stop Dependabot's security pull requests
repos/codeowners-errors: errors in the CODEOWNERS file
repos/create-autolink: link ticket numbers to Jira automatically; create an autolink
repos/list-autolinks: autolinks of a repository
repos/list-public: list public repositories
actions/list-workflow-runs-for-repo: workflow runs; failed builds; did CI pass; what is running in CI; last builds; which pipelines failed today
actions/list-workflow-runs: runs of one workflow; history of the deploy workflow; last nightly builds
actions/get-workflow-run: status of a run; did the build succeed; details of a pipeline run
actions/list-repo-workflows: list workflows; which pipelines does the repository have; what CI is set up
actions/get-workflow: details of a workflow; is the workflow enabled
actions/create-workflow-dispatch: run a workflow; start a pipeline manually; trigger the deployment workflow; kick off the build on main
actions/re-run-workflow: rerun a workflow; run the build again; retry the pipeline
actions/re-run-workflow-failed-jobs: rerun failed jobs; retry only what failed
actions/re-run-job-for-workflow-run: rerun one job; repeat a single job
actions/cancel-workflow-run: cancel a workflow run; stop the running build; abort the pipeline
actions/force-cancel-workflow-run: force a stuck run to stop; cancel a run that does not react
actions/delete-workflow-run: delete a workflow run; remove a build from the history
actions/approve-workflow-run: approve a workflow run of a first-time contributor; let CI run on a fork's pull request
actions/list-jobs-for-workflow-run: jobs of a run; which step failed; which job broke the build
actions/get-job-for-workflow-run: details of a job; steps of a job
actions/download-job-logs-for-workflow-run: log of a job; why did the job fail; output of the tests
actions/download-workflow-run-logs: logs of a run; download the build log; what did the pipeline print
actions/delete-workflow-run-logs: delete the logs of a run
actions/enable-workflow: enable a workflow; turn a pipeline on again
actions/disable-workflow: disable a workflow; turn off a pipeline; stop the nightly build from running
actions/get-pending-deployments-for-run: deployments of a run that wait for approval
actions/review-pending-deployments-for-run: approve a deployment; let the release go to production; reject a waiting deployment
actions/list-artifacts-for-repo: list build artifacts; files produced by CI
actions/list-workflow-run-artifacts: artifacts of a run; what did the build produce
actions/download-artifact: download an artifact; get the build output
actions/delete-artifact: delete an artifact; free artifact storage
actions/get-workflow-run-usage: how long did the run take; billable minutes of a run
actions/get-workflow-usage: minutes used by a workflow
actions/get-actions-cache-list: list caches; what is in the Actions cache
actions/get-actions-cache-usage: how much cache is used
actions/delete-actions-cache-by-key: delete a cache; clear the build cache
actions/delete-actions-cache-by-id: delete one cache entry
actions/create-or-update-repo-secret: store a secret for CI; add an API token for the pipeline; update a repository secret; rotate the deployment password used by Actions
actions/list-repo-secrets: list secrets of a repository; which secrets can CI use
actions/delete-repo-secret: delete a repository secret
actions/get-repo-secret: when was a repository secret last updated
actions/create-or-update-org-secret: store a secret for all repositories of the organization
actions/list-org-secrets: secrets of the organization
actions/delete-org-secret: delete a secret of the organization
actions/create-or-update-environment-secret: store a secret for the production environment
actions/list-environment-secrets: secrets of an environment
actions/create-repo-variable: create a CI variable; add a configuration variable for workflows
actions/list-repo-variables: list CI variables; configuration variables of a repository
actions/update-repo-variable: change a CI variable
actions/delete-repo-variable: delete a CI variable
actions/get-repo-variable: value of a CI variable
actions/create-org-variable: create a variable for the whole organization
actions/list-org-variables: variables of the organization
actions/list-self-hosted-runners-for-repo: list self-hosted runners; which build machines are online
actions/list-self-hosted-runners-for-org: self-hosted runners of the organization; build machines of the company
actions/delete-self-hosted-runner-from-repo: remove a self-hosted runner; delete a build machine
actions/delete-self-hosted-runner-from-org: remove a runner from the organization
actions/create-registration-token-for-repo: token to register a self-hosted runner; set up a new build machine
actions/create-registration-token-for-org: token to register a runner for the organization
actions/set-github-actions-permissions-repository: turn off Actions for a repository; which actions may run
actions/get-github-actions-permissions-repository: are Actions enabled in the repository
orgs/list-members: members of an organization; who works at the company; everyone in our org; who has no two-factor authentication
orgs/get: details of an organization; billing email of the org
orgs/update: change organization settings; forbid members to create repositories; change the org's description
orgs/delete: delete an organization
orgs/list-for-authenticated-user: which organizations am I in; my organizations
orgs/list-for-user: organizations of a user
orgs/create-invitation: invite someone to the organization; add a new employee to our GitHub; send an org invitation by email
orgs/list-pending-invitations: pending invitations to the organization; who has not joined yet
orgs/cancel-invitation: cancel an invitation to the organization; withdraw an org invite
orgs/list-failed-invitations: invitations that failed
orgs/remove-member: remove a member from the organization; she left the company; kick someone out of the org
orgs/remove-membership-for-user: remove someone from the organization; end a membership; offboard a colleague
orgs/set-membership-for-user: make someone an owner of the organization; change a member's role; promote to org admin
orgs/get-membership-for-user: role of a person in the organization; is she an owner
orgs/check-membership-for-user: is someone a member of the organization
orgs/list-outside-collaborators: outside collaborators; freelancers with access to our org
orgs/remove-outside-collaborator: remove an outside collaborator; end a contractor's access everywhere
orgs/convert-member-to-outside-collaborator: turn a member into an outside collaborator
orgs/block-user: block a user from the organization; ban a troll from our org
orgs/unblock-user: unblock a user in the organization
orgs/list-blocked-users: users blocked by the organization
orgs/create-webhook: add a webhook to the organization
orgs/list-webhooks: webhooks of the organization
orgs/delete-webhook: delete a webhook of the organization
orgs/list-app-installations: which apps are installed in the organization
orgs/list-pat-grants: personal access tokens that can access the organization
orgs/list-public-members: public members of an organization
teams/list: list teams; which teams does the organization have
teams/create: create a team; new group in the organization; set up a team for the designers
teams/get-by-name: details of a team
teams/update-in-org: rename a team; change a team's description; make a team secret
teams/delete-in-org: delete a team; dissolve a team
teams/list-members-in-org: who is in the team; members of a team
teams/add-or-update-membership-for-user-in-org: add someone to a team; put a person in the backend team; make someone team maintainer
teams/remove-membership-for-user-in-org: remove someone from a team; take a person out of the team
teams/get-membership-for-user-in-org: is someone in the team; role of a person in a team
teams/list-repos-in-org: repositories of a team; which projects can the team access
teams/add-or-update-repo-permissions-in-org: give a team access to a repository; let the team push; change a team's permission
teams/remove-repo-in-org: take a repository away from a team; revoke a team's access
teams/list-for-authenticated-user: which teams am I in; my teams
teams/list-child-in-org: subteams; child teams
teams/list-pending-invitations-in-org: pending invitations of a team
users/get-authenticated: who am I; my profile; my account
users/get-by-username: look up a user; profile of a person; what company does she work for; how many followers does he have
users/update-authenticated: update my profile; change my bio; set my location; change my name
users/list-followers-for-authenticated-user: who follows me; my followers
users/list-followers-for-user: followers of a user; who follows this person
users/list-followed-by-authenticated-user: whom do I follow
users/list-following-for-user: whom does this person follow
users/follow: follow a user; follow someone on GitHub
users/unfollow: unfollow a user; stop following someone
users/block: block a user; I don't want to hear from this person
users/unblock: unblock a user
users/list-blocked-by-authenticated-user: whom have I blocked
users/create-public-ssh-key-for-authenticated-user: add my SSH key; register the key of my new laptop
users/list-public-ssh-keys-for-authenticated-user: list my SSH keys
users/delete-public-ssh-key-for-authenticated-user: delete an SSH key; remove the key of my stolen laptop
users/list-public-keys-for-user: SSH keys of a user
users/create-gpg-key-for-authenticated-user: add a GPG key to sign commits
users/list-gpg-keys-for-authenticated-user: list my GPG keys
users/delete-gpg-key-for-authenticated-user: delete a GPG key
users/list-emails-for-authenticated-user: my email addresses
users/add-email-for-authenticated-user: add an email address to my account
users/delete-email-for-authenticated-user: remove an email address from my account
users/set-primary-email-visibility-for-authenticated-user: hide my email address
activity/star-repo-for-authenticated-user: star a repository; bookmark a project; give a star
activity/unstar-repo-for-authenticated-user: unstar a repository; take my star back
activity/list-repos-starred-by-authenticated-user: which repos have I starred; my favourite projects
activity/list-repos-starred-by-user: repos that a person starred
activity/list-stargazers-for-repo: who starred the repository; list stargazers; people who like our project
activity/check-repo-is-starred-by-authenticated-user: have I starred this repository
activity/set-repo-subscription: watch a repository; get notified about everything in a repo; ignore a repository; mute a repo
activity/delete-repo-subscription: stop watching a repository; unwatch; no more notifications from a repo
activity/list-watchers-for-repo: who watches the repository; subscribers of a project
activity/list-watched-repos-for-authenticated-user: which repositories do I watch
activity/list-notifications-for-authenticated-user: my notifications; what is new for me; unread notifications; where was I mentioned
activity/list-repo-notifications-for-authenticated-user: my notifications for one repository
activity/mark-notifications-as-read: mark all notifications as read; clear my inbox
activity/mark-repo-notifications-as-read: mark the notifications of a repository as read
activity/mark-thread-as-read: mark one notification as read
activity/mark-thread-as-done: mark a notification as done; dismiss a notification
activity/set-thread-subscription: subscribe to a thread; mute a conversation; follow an issue
activity/delete-thread-subscription: unsubscribe from a conversation; stop notifying me about this issue
activity/list-repo-events: recent activity in a repository; what happened in the project
activity/list-events-for-authenticated-user: what have I done lately; activity of a user
activity/list-public-events-for-user: public activity of a person; what has she been doing
gists/create: create a gist; share a snippet; paste a piece of code; make a secret gist
gists/list: list my gists; my snippets
gists/list-for-user: gists of a user; snippets someone shared
gists/list-public: public gists
gists/list-starred: gists I starred
gists/get: read a gist; show a snippet
gists/update: edit a gist; add a file to a gist; change a snippet
gists/delete: delete a gist; remove a snippet
gists/fork: fork a gist; copy a snippet
gists/star: star a gist
gists/unstar: unstar a gist
gists/create-comment: comment on a gist
gists/list-comments: comments on a gist
gists/list-commits: revisions of a gist
search/code: search code; find where a function is used; which files contain this text; grep over all repositories
search/issues-and-pull-requests: search issues and pull requests; find tickets that mention; PRs waiting for my review; find duplicates of a bug; my open pull requests everywhere
search/repos: search repositories; find projects about; popular JavaScript libraries; most starred projects
search/users: search users; find people; developers in Berlin
search/commits: search commits; find the commit that mentions
search/topics: search topics
search/labels: search labels
dependabot/list-alerts-for-repo: vulnerable dependencies; Dependabot alerts; security problems in our packages; outdated libraries with security holes
dependabot/list-alerts-for-org: Dependabot alerts of the organization; vulnerable packages in all repos
dependabot/get-alert: details of a Dependabot alert
dependabot/update-alert: dismiss a Dependabot alert; ignore a vulnerability warning
code-scanning/list-alerts-for-repo: code scanning alerts; security bugs found in our code; CodeQL findings
code-scanning/list-alerts-for-org: code scanning alerts of the organization
code-scanning/get-alert: details of a code scanning alert
code-scanning/update-alert: dismiss a code scanning alert; mark a finding as false positive
code-scanning/upload-sarif: upload scan results
code-scanning/update-default-setup: turn on code scanning
secret-scanning/list-alerts-for-repo: leaked secrets; passwords committed by accident; secret scanning alerts
secret-scanning/list-alerts-for-org: leaked secrets in the organization
secret-scanning/get-alert: details of a leaked secret
secret-scanning/update-alert: resolve a secret scanning alert; mark a leaked token as revoked
security-advisories/list-repository-advisories: security advisories of a repository
security-advisories/create-repository-advisory: draft a security advisory; publish a vulnerability of our project
security-advisories/create-private-vulnerability-report: report a vulnerability privately
security-advisories/list-global-advisories: known vulnerabilities; security advisories for a package
security-advisories/get-global-advisory: details of a CVE
dependency-graph/export-sbom: software bill of materials; which dependencies does the project use; export the SBOM
packages/list-packages-for-organization: packages of the organization; which container images did we publish
packages/list-packages-for-authenticated-user: my packages
packages/delete-package-for-org: delete a package of the organization
packages/delete-package-version-for-org: delete a version of a package; remove an old container image
packages/get-all-package-versions-for-package-owned-by-org: versions of a package; tags of a container image
packages/restore-package-for-org: restore a deleted package
codespaces/create-with-repo-for-authenticated-user: start a codespace for a repository; open a cloud development environment
codespaces/create-for-authenticated-user: create a codespace
codespaces/list-for-authenticated-user: list my codespaces; which dev environments do I have
codespaces/start-for-authenticated-user: start a codespace; wake up my dev environment
codespaces/stop-for-authenticated-user: stop a codespace; shut down my dev environment
codespaces/delete-for-authenticated-user: delete a codespace; throw away a dev environment
codespaces/get-for-authenticated-user: details of a codespace
projects/list-for-org: project boards of the organization; list projects
projects/list-items-for-org: items on a project board; what is on the board
projects/add-item-for-org: add an issue to a project board; put a ticket on the board
projects/update-item-for-org: move a card to another column; change the status of an item on the board
projects/delete-item-for-org: remove an item from the board
projects/create-draft-item-for-org: add a draft card to a board
copilot/list-copilot-seats: who has a Copilot seat; Copilot licences
copilot/add-copilot-seats-for-users: give someone Copilot
copilot/cancel-copilot-seat-assignment-for-users: take Copilot away from someone
copilot/get-copilot-organization-details: how many Copilot seats do we pay for
billing/get-github-billing-usage-report-org: what does GitHub cost us; billing usage of the organization; Actions minutes we paid for
billing/get-github-billing-usage-report-user: my billing usage
apps/list-installations: installations of our app
apps/list-repos-accessible-to-installation: which repositories can the app access
apps/create-installation-access-token: token for an app installation
apps/delete-installation: uninstall an app
apps/suspend-installation: suspend an app installation
interactions/set-restrictions-for-repo: limit who can comment; only collaborators may interact for a week; stop spam in a repository
interactions/remove-restrictions-for-repo: lift the interaction limit; everyone may comment again
licenses/get-for-repo: which licence does the project have; may I use this code
licenses/get-all-commonly-used: list licences
gitignore/get-template: gitignore template for a language
gitignore/get-all-templates: list gitignore templates
markdown/render: render Markdown; turn Markdown into HTML
emojis/get: list emojis of GitHub
rate-limit/get: how many API requests do I have left; rate limit
meta/get: IP addresses of GitHub's services
migrations/start-import: import a repository from another server
migrations/start-for-org: export repositories of the organization; start a migration
migrations/start-for-authenticated-user: export my data; download everything I have on GitHub
repos/get-deploy-key: details of a deploy key
repos/get-webhook-delivery: what was sent in a webhook delivery; payload of a delivery
credentials/revoke: revoke a leaked token; report exposed credentials
`
