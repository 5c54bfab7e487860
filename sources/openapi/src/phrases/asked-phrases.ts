// table
/**
 * The requests of sources/documents/requests by the operations that answer them. Written by
 * `node bench/src/tool-search/fit-ranking.ts`; not edited by hand.
 */
export const ASKED_PHRASES = `
github actions/cancel-workflow-run: cancel running workflow; stop deployment pipeline running started by mistake; abort build hanging; kill deploy run stuck; cancel build running
github actions/create-or-update-repo-secret: set secret github actions; store deploy token workflows use; store database password ci jobs in repository read; deploy pipeline needs new secret called api token
github actions/create-workflow-dispatch: start workflow by hand; kick off nightly workflow by hand input parameter; start deploy workflow by hand on release branch
github actions/delete-actions-cache-by-key: throw away cached dependencies ci
github actions/delete-artifact: delete old build artifacts; build artifacts last weeks runs take too much space throw one away
github actions/disable-workflow: switch off nightly workflow; stop nightly workflow from running
github actions/download-artifact: download what last build produced; download build artifact
github actions/download-job-logs-for-workflow-run: why job fail output
github actions/download-workflow-run-logs: download logs workflow run; grab logs yesterdays failed pipeline
github actions/list-jobs-for-workflow-run: which jobs ran in build
github actions/list-repo-secrets: which secrets set up repositorys workflows
github actions/list-repo-workflows: which workflows exist in repository
github actions/list-workflow-run-artifacts: pull artifacts release build
github actions/list-workflow-runs-for-repo: which ci runs failed; which workflow runs in progress
github actions/list-workflow-runs: which runs test workflow failed on main
github actions/re-run-workflow-failed-jobs: rerun failed jobs workflow run; nightly build fell over kick off only jobs broke again; re-run failed jobs; rerun only broken ci jobs
github actions/re-run-workflow: re-run everything in last workflow run
github activity/delete-repo-subscription: no longer mails about repo xyz
github activity/delete-thread-subscription: unsubscribe me from conversation
github activity/list-notifications-for-authenticated-user: list notifications
github activity/list-stargazers-for-repo: who starred project
github activity/mark-notifications-as-read: clear everything in notification inbox
github activity/set-repo-subscription: told about everything happens in repository
github activity/star-repo-for-authenticated-user: star repository; give repo star from me; star repo
github activity/unstar-repo-for-authenticated-user: undo starring repo; undo star on project
github checks/list-for-ref: which checks failed on last commit; pull request ready merge checks passed
github code-scanning/update-alert: dismiss code scanning alert
github dependabot/list-alerts-for-repo: show dependabot alerts; which dependencies known security holes; show me every open security warning about vulnerable npm packages in repo; which dependencies known security problems
github gists/create: create gist; save snippet somewhere share
github git/create-ref: create new branch; cut branch named hotfix from latest commit; make new branch off main login work; create branch called hotfix from main
github git/delete-ref: delete branch; dont stale branch fix header lying around drop; delete branch feature login merged
github issues/add-assignees: assign somebody issue; make dana responsible issue; give bug sara she knows part code; assign ticket leo kim
github issues/add-labels: attach label issue; put needs-triage tag on issue; hand issue mobile crew by tagging mobile; add word as label ticket; add labels issue
github issues/create-comment: comment on issue; add line discussion under issue shipped; leave note on issue fix in review; write in issue fix on way
github issues/create-label: add bugs boards label urgent repo in red
github issues/create-milestone: create milestone; set deadline version group tickets
github issues/create: file bug report in repository; file bug in repo saying login page blank on safari; sara found crash log dont forget
github issues/delete-comment: comment wrote rude take down
github issues/get: who assigned issue
github issues/list-comments: show me everything people said on issue
github issues/list-for-repo: show open issues in repo; what carla working on at moment open issues; what still left before milestone
github issues/list-milestones: list open milestones
github issues/list: list issues assigned me
github issues/lock: lock conversation on issue; nobody able comment on heated thread more; lock heated thread; lock conversation
github issues/remove-label: remove wontfix label from; take label wontfix off issue
github issues/update-comment: edit comment on issue
github issues/update: close issue; reopen ticket fix didnt work; close ticket as done; move issue website repository
github orgs/block-user: block troll from org; block user from organization
github orgs/create-invitation: send invitation join organisation lee acme io; invite dana example com organization
github orgs/list-members: who members org
github orgs/remove-member: remove someone from organization; throw max out organisation
github orgs/set-membership-for-user: make petra owner organization
github pulls/create-review-comment: leave remark on line pull request
github pulls/create-review: approve pull request; ok change in pr looks fine me sign off; turn down bens pull request comment
github pulls/create: open pull request
github pulls/dismiss-review: undo review pull request
github pulls/list-commits: show me which commits went into pull request
github pulls/list-files: what files pull request change; which files touched in pull request; which files pull request touch
github pulls/list-requested-reviewers: which people asked reviewers pr who still look at
github pulls/list-reviews: who reviewed pull request; who approved pull request
github pulls/list: which prs still open on frontend repository; list open pull requests
github pulls/merge: merge pull request; squash pr into main; squash merge pull request once checks green; pull request good go merge
github pulls/remove-requested-reviewers: withdraw review asked jo
github pulls/request-reviewers: ask someone review pull request; ask priya infra team look over pull request; request reviewer; ask priya tom look over pull request
github pulls/update-branch: bring branch up date main pr; update pull request branch
github pulls/update: close pull request without merging; convert draft mark pull request as ready or at least change title
github rate-limit/get: remaining api quota
github reactions/create-for-issue-comment: put thumbs up under comment on issue; give thumbs up comment
github repos/add-collaborator: invite user repository as collaborator; give tom write access repo; give colleague lena push rights on billing repo; give jonas write access repository; new colleague needs able push repository
github repos/compare-commits-with-basehead: compare two commits; what changed between tag; show what changed between
github repos/create-commit-status: set status commit
github repos/create-deploy-key: add deploy key
github repos/create-deployment: trigger deployment
github repos/create-fork: fork repository; copy upstream project into own account hack on; make own copy somebody elses project under organization
github repos/create-in-org: create repository organization; spin up new repository called billing-api under company
github repos/create-or-update-file-contents: change file in repository; change contents readme md commit directly branch; update file config yml text; put file license into repository
github repos/create-pages-site: turn docs folder into website
github repos/create-release: publish release; publish version release notes; publish version release notes github writes me; tag version write what changed in
github repos/create-using-template: set up repo new service from starter template
github repos/create-webhook: add webhook repository; tell server callback every time someone pushes repository; every push call build server; send events repo server when somebody pushes
github repos/delete-release: delete old release
github repos/delete: delete repository; delete repository playground good
github repos/enable-vulnerability-alerts: turn on dependabot alerts repo
github repos/generate-release-notes: draft release notes automatically
github repos/get-all-topics: get repository topics
github repos/get-branch-protection: main branch protection
github repos/get-clones: how many people cloned repo last week
github repos/get-commit: tell me which files touched in commit
github repos/get-content: read file from repository; get me file package json repo
github repos/get-contributors-stats: see who wrote most commits in project over past year
github repos/get-latest-release: what latest release; what octo team ship in newest release; whats newest version released; get latest release; what ship last show me newest release
github repos/get-readme: show me contents readme at root project; see content readme
github repos/get-views: how many people visited repo page two weeks
github repos/get: how many stars project
github repos/list-branches: list all branches repository; what branches; which branches repo
github repos/list-collaborators: who push repo; who write repository; who may approve changes here list everyone access
github repos/list-comments-for-commit: who commented on commit what they say
github repos/list-commits: show commit history; when last time someone committed docs; show me last ten commits on develop; list commits on branch
github repos/list-contributors: who contributed repo; who pushing most code project lately; who opened most pull requests show contributors
github repos/list-for-authenticated-user: list repositories
github repos/list-for-org: which repositories organization
github repos/list-languages: language breakdown codebase; what languages project written in
github repos/list-pull-requests-associated-with-commit: which pull requests contain commit
github repos/list-releases: what releases exist react
github repos/merge: merge develop into main
github repos/remove-collaborator: take collaborator tim off repository; revoke jonass access repository; remove collaborator; contractor no longer able push take access away
github repos/rename-branch: rename branch; branch main called trunk from on
github repos/transfer: move repository over new organisation
github repos/update-branch-protection: protect main branch; stop main from accepting pushes without two reviews; stop people from force pushing main require two approvals; require two approvals before anything goes into main; nobody may push main directly more; protect branch
github repos/update-release: give release nicer title
github repos/update: rename repository; change default branch; shelve old repo nobody works on; world see repository; turn issue tracker off repository; change description repository make private
github search/code: search code word; where parseconfig used in code; search code todo comments
github search/issues-and-pull-requests: anybody still waiting me look at changes
github search/repos: find repositories about topic; find every repo mentions kafka in description
github secret-scanning/list-alerts-for-repo: passwords leaked in code; anybody find leaked passwords in code
github secret-scanning/update-alert: somebody reported leaked password warning on repo mark warning as taken care
github teams/add-or-update-membership-for-user-in-org: put lee on backend team; add kim platform team
github teams/add-or-update-repo-permissions-in-org: give everybody in design team write access website repo
github teams/create: create team mobile developers
github teams/list-members-in-org: list members team; who in backend team
github teams/list: which teams organization
github teams/remove-membership-for-user-in-org: kick someone off team; kick jim out backend team
github users/create-public-ssh-key-for-authenticated-user: add ssh key; register machines ssh key account
github users/follow: start following torvalds
github users/get-authenticated: who logged in as
kubernetes connectCoreV1GetNamespacedPodExec: run command inside pod; open shell in web container; run ls inside nginx pod
kubernetes connectCoreV1PostNamespacedPodExec: run command in container; run command inside container; open shell in redis pod
kubernetes connectCoreV1PostNamespacedPodPortforward: forward local port pod
kubernetes createApiextensionsV1CustomResourceDefinition: add custom resource type
kubernetes createAppsV1NamespacedDaemonSet: put log collector on every machine; run log collector on each machine
kubernetes createAppsV1NamespacedDeployment: create deployment; deploy new frontend two replicas; set up new deployment payment service
kubernetes createAppsV1NamespacedStatefulSet: run three copies postgres stable names; make sure database own disk runs on three pods
kubernetes createAuthorizationV1SelfSubjectAccessReview: allowed delete secrets here; allowed delete pods in production namespace
kubernetes createAutoscalingV1NamespacedHorizontalPodAutoscaler: make app grow by itself when processors get busy
kubernetes createAutoscalingV2NamespacedHorizontalPodAutoscaler: create horizontal pod autoscaler; scale queue workers by themselves between depending on cpu; automatically add replicas when cpu goes over percent; grow shrink number pods load
kubernetes createBatchV1NamespacedCronJob: run cleanup every night at two; run backup every night at two; create cron job
kubernetes createBatchV1NamespacedJob: run batch job; run migration once; start one-time batch job import; start one-off job; run container once throw away
kubernetes createCoreV1Namespace: create namespace; make fresh namespace demo team
kubernetes createCoreV1NamespacedConfigMap: write settings mailer into config map; store settings app as key value pairs; create config map
kubernetes createCoreV1NamespacedLimitRange: limit how much cpu each container may use by default
kubernetes createCoreV1NamespacedPersistentVolumeClaim: ask gigs persistent disk postgres; ask gib persistent storage database
kubernetes createCoreV1NamespacedPodEviction: evict pod; push pod off node in gentle way respects disruption budgets; empty before maintenance by throwing pods out; evict pod from node; drain node
kubernetes createCoreV1NamespacedResourceQuota: limit memory team; cap what interns namespace may consume; limit what dev namespace use cpus; give every namespace at most cpus
kubernetes createCoreV1NamespacedSecret: create secret in cluster; save database password as secret in prod; save api password database securely; put tls key certificate into cluster
kubernetes createCoreV1NamespacedService: expose service; expose application inside cluster under stable ip; expose api on port inside cluster; make web app reachable inside cluster on port
kubernetes createCoreV1NamespacedServiceAccount: give deploy bot own identity in staging namespace; make robot account deployer; create service account ci pipeline; create service account; run pods shop own identity
kubernetes createNetworkingV1NamespacedIngress: create ingress; put shop example com in front storefront service; route traffic shop example com frontend service; publish shop example org outside lands on storefront service; make shop reachable from internet under shop example com; users outside reach web service at www example com
kubernetes createNetworkingV1NamespacedNetworkPolicy: block all traffic between pods payments everything else; only web front end able reach database over network set up rule; only allow traffic from frontend database; block all incoming connections database pods; allow only api talk database pods
kubernetes createPolicyV1NamespacedPodDisruptionBudget: keep at least two replicas up while nodes being drained
kubernetes createRbacAuthorizationV1ClusterRoleBinding: give developers read-only rights in whole cluster; give monitoring tool read access all namespaces
kubernetes createRbacAuthorizationV1NamespacedRoleBinding: bind role user; allow ci account read secrets in team-a bind reader role; service account build pipeline read pods in namespace only; ci bot deploy in staging namespace; create role binding
kubernetes deleteAppsV1NamespacedDaemonSet: remove daemon collects logs from all nodes
kubernetes deleteAppsV1NamespacedDeployment: delete deployment web
kubernetes deleteAutoscalingV2NamespacedHorizontalPodAutoscaler: remove autoscaler from worker
kubernetes deleteBatchV1CollectionNamespacedJob: wipe all finished jobs in batch namespace; throw away all finished jobs
kubernetes deleteBatchV1NamespacedCronJob: delete old cron job backups; get rid cron job sends mails
kubernetes deleteBatchV1NamespacedJob: get rid finished batch job pods; delete failed migration job; delete job
kubernetes deleteCoreV1CollectionNamespacedPod: delete all pods namespace
kubernetes deleteCoreV1Namespace: delete namespace; throw away namespace; drop whole test namespace; remove namespace old project everything in
kubernetes deleteCoreV1NamespacedConfigMap: delete config map
kubernetes deleteCoreV1NamespacedPersistentVolumeClaim: get rid unused disk claim; remove claim old disk; delete persistent volume claim
kubernetes deleteCoreV1NamespacedPod: delete pod; kill stuck worker pod restarts
kubernetes deleteCoreV1NamespacedService: remove checkout service
kubernetes deleteCoreV1Node: take out cluster good
kubernetes deleteNetworkingV1NamespacedIngress: remove ingress old shop
kubernetes deleteRbacAuthorizationV1NamespacedRoleBinding: take delete pods away from interns
kubernetes getCodeVersion: cluster version; which server version; what version cluster
kubernetes listApiextensionsV1CustomResourceDefinition: custom types installed
kubernetes listAppsV1NamespacedDeployment: what apps deployed in production; show all deployments in default namespace; which deployments run in shop namespace
kubernetes listAppsV1NamespacedStatefulSet: which stateful sets run
kubernetes listAutoscalingV2NamespacedHorizontalPodAutoscaler: which autoscalers configured
kubernetes listBatchV1CronJobForAllNamespaces: nightly jobs across cluster
kubernetes listBatchV1NamespacedCronJob: which scheduled tasks defined
kubernetes listBatchV1NamespacedJob: which jobs ran last night; what jobs there in batch namespace
kubernetes listCoreV1Namespace: which namespaces there
kubernetes listCoreV1NamespacedEvent: events in namespace; why isnt pod starting recent warnings in namespace; why pod not starting show me recent events in namespace; recent warnings in namespace; what went wrong recently in production
kubernetes listCoreV1NamespacedPersistentVolumeClaim: list persistent volume claims; storage claims one team; how much disk claims take
kubernetes listCoreV1NamespacedPod: list pods in namespace; what pods running in staging; which pods crash in payments namespace
kubernetes listCoreV1NamespacedSecret: passwords stored in namespace; list secrets in billing namespace; show secrets in namespace
kubernetes listCoreV1NamespacedService: list services in namespace
kubernetes listCoreV1Node: which nodes in cluster; which machines make up cluster; list all nodes; machines in cluster; which machines in cluster; which nodes not ready
kubernetes listCoreV1PersistentVolume: which volumes exist; how much space left which volumes exist; which volumes not bound claim
kubernetes listCoreV1PodForAllNamespaces: list pods in all namespaces; pods across every namespace; which pods running on all namespaces
kubernetes listCoreV1ServiceForAllNamespaces: give me all services everywhere
kubernetes listNetworkingV1NamespacedIngress: which domains point into cluster; which ingresses exist
kubernetes listRbacAuthorizationV1ClusterRole: who allowed delete pods show cluster roles
kubernetes listRbacAuthorizationV1ClusterRoleBinding: who allowed what in cluster
kubernetes listRbacAuthorizationV1NamespacedRole: what roles defined in finance namespace
kubernetes listRbacAuthorizationV1NamespacedRoleBinding: who may what in team-b show role bindings; which roles deployer account
kubernetes listStorageV1StorageClass: which storage classes choose from; which storage classes use
kubernetes patchAppsV1NamespacedDeployment: roll out new image deployment; roll out image api deployment; roll web deployment new container image; restart api by replacing pods; roll back previous version frontend; replace container image api; restart all pods web deployment; patch deployment; add environment variable worker deployment
kubernetes patchAppsV1NamespacedDeploymentScale: scale deployment; bump web deployment five replicas; scale deployment down zero; run five copies checkout app instead two; shrink worker deployment one replica; run five copies api instead two; checkout service needs more replicas black friday; set number web replicas zero over weekend
kubernetes patchAppsV1NamespacedStatefulSetScale: double replicas worker stateful set
kubernetes patchBatchV1NamespacedCronJob: suspend cron job; stop nightly report from running; change schedule nightly cleanup; pause nightly cleanup until next week
kubernetes patchCertificatesV1CertificateSigningRequestApproval: approve certificate request
kubernetes patchCoreV1NamespacedConfigMap: change feature flags stored in app-config map; change one setting in apps configuration map; change value in config map
kubernetes patchCoreV1NamespacedSecret: swap certificate stored in tls secret; update tls certificate secret; rotate database password stored in cluster
kubernetes patchCoreV1NamespacedService: point service at another port
kubernetes patchCoreV1Node: cordon node; mark node nothing new lands on; mark worker node unschedulable before maintenance; mark worker seven nothing new gets scheduled there; keep new pods away from node; label node; take out rotation
kubernetes readAppsV1NamespacedDaemonSetStatus: how far rollout log collector runs on every node
kubernetes readAppsV1NamespacedDeployment: how many replicas api deployment; get deployments yaml; how many replicas api at moment
kubernetes readAppsV1NamespacedDeploymentStatus: what rollout status deployment; how rollout web deployment going; rollout api finished
kubernetes readBatchV1NamespacedJob: backup job succeed
kubernetes readBatchV1NamespacedJobStatus: import job finished
kubernetes readCoreV1NamespacedConfigMap: read config map; show configuration map gateway; show me current settings in app-config map
kubernetes readCoreV1NamespacedPod: get me details pod
kubernetes readCoreV1NamespacedPodLog: show logs pod; show me output crashed checkout pod; pod logs; output crashed container; show logs crashing pod; why pod keep restarting me see output; get pod logs
kubernetes readCoreV1NamespacedPodStatus: database pod healthy
kubernetes readCoreV1NamespacedSecret: read secret; get value db-credentials secret
kubernetes readCoreV1Node: describe node; show me everything about; node healthy how much memory; node details
kubernetes replaceCoreV1NamespacedConfigMap: update config map
slack auth_revoke: sign app out by making token useless
slack auth_test: token still working
slack chat_delete: delete slack message; take back what posted; delete what wrote in random; delete message; typed nonsense into random delete
slack chat_deleteScheduledMessage: call off message planned friday; not send scheduled message
slack chat_getPermalink: get link message; link message; copy me link message; give me link post; send lisa link message from yesterday
slack chat_postEphemeral: post message only one user sees; whisper bob in channel only he sees; only maria see hint in channel nobody else; only marek see hint in channel others shouldnt notice; tell only sam in sales report error
slack chat_postMessage: send message channel; tell general lunch here; send message general; send julia private note; write kim directly late; say good morning everyone in general; team know in ops server back; message omar privately; tell general office closed on monday; answer in thread; whole company know about outage
slack chat_scheduleMessage: schedule message later; post stand-up reminder in dev tomorrow at nine; post standup reminder tomorrow at nine instead; post at tomorrow; send news next friday at; schedule message; tell team in general tomorrow at lunch free
slack chat_scheduledMessages_list: which messages scheduled go out; which messages going out later
slack chat_update: edit message posted in slack; made typo in last message correct; edit posted message; fix typo in message; fix spelling in message posted; edit message
slack conversations_archive: archive channel; close down old project-x channel done; shut channel old-project good; launch over nobody needs channel more archive
slack conversations_close: close private chat
slack conversations_create: create channel; open private channel reorg project; make channel launch project
slack conversations_history: read latest messages channel; what people say in support since yesterday; give me last hundred messages incident channel; what written in random today; show me last ten messages support channel; channel history; show newest messages in alerts; get everything posted in incident channel last night
slack conversations_info: what channel random tell me about
slack conversations_invite: invite people channel; bring ana luis into launch; add lena backend; invite someone channel; bring nora igor into incident channel
slack conversations_join: me into design; join channel
slack conversations_kick: kick someone out channel; throw someone out channel; take intern out board channel; throw intern out board; remove leo from hiring; kick paul out strategy; remove tim from channel
slack conversations_leave: get me out random; leave lunch; leave channel
slack conversations_list: list all channels; which channels; direct messages open
slack conversations_mark: mark channel as read up here
slack conversations_members: who in channel; who in marketing channel; everyone in channel; who in design
slack conversations_open: start direct message someone; start private group chat three colleagues; write ana jo together in one private group chat open me; start chat tom ana together; open private conversation ana bo; start group message kim lee pat; write ana direct message laptop arrived
slack conversations_rename: rename; change name old-team new-team; rename channel; change name dev engineering
slack conversations_replies: read replies in thread; show me all answers under message; replies in thread; what people answer below announcement; what thread under message say
slack conversations_setPurpose: set purpose travel booking trips; change description channel
slack conversations_setTopic: change topic channel; change line at top channel says what working on; change topic sales; make channel read new topic; set channel topic
slack conversations_unarchive: bring back archived channel; bring archived channel back; bring back life; reopen archived channel
slack dnd_endDnd: back end not disturb
slack dnd_endSnooze: turn notifications back on
slack dnd_info: until when rita unavailable; not disturb on mia
slack dnd_setSnooze: turn on not disturb; dont anyone bother me next two hours; snooze notifications; mute notifications hour; left alone until noon; nobody disturb me hour
slack emoji_list: what custom emojis workspace; list custom smileys; what custom emojis
slack files_delete: delete screenshot uploaded; delete file uploaded by mistake; take photo out channel wrong file
slack files_list: which files mia share; find budget spreadsheet; what files shared last week; which files in marketing; show all files ben uploaded month
slack files_revokePublicURL: screenshot must no longer reachable by people outside who link
slack files_upload: upload file slack; share pdf in finance; share pdf; upload quarterly numbers sales channel; upload report finance; upload file
slack pins_add: pin message; keep message at top channel; pin; pin announcement in channel
slack pins_list: what pinned in ops; list pinned items
slack pins_remove: unpin message; remove pinned note from ops; move pinned agenda out channel; remove pin from old agenda
slack reactions_add: react message emoji; give message thumbs up; add thumbs up; add checkmark post; give message check mark; put party emoji on toms message; add reaction
slack reactions_get: see who put heart on announcement; who reacted post; who left thumbs up on announcement
slack reactions_remove: take thumbs-up off post; take reaction back; take away emoji put on post; remove reaction
slack reminders_add: remind me tomorrow; nudge me on friday at three send expense report; remind me on monday call bank; remind everyone on friday fill in timesheets; remind me call bank at pm
slack reminders_complete: mark reminder as done
slack reminders_delete: forget reminder about taxes; remove reminder
slack reminders_list: list reminders; which reminders set; which reminders; which reminders bot set
slack search_messages: where talk about berlin office lease search everything; where anyone mention hamburg contract in chats; search all messages
slack stars_add: bookmark message me; save message later
slack team_accessLogs: when people last log in
slack team_info: whos in charge here tell me about workspace
slack usergroups_create: make user group designers; create user group on-call people
slack usergroups_list: which groups designers exist; which teams workspace as groups; user groups
slack usergroups_users_list: who in support user group; who in marketing user group; which people belong oncall group
slack usergroups_users_update: take kevin off oncall group put noor in; replace people behind oncall handle weeks engineers; put sven carla into oncall handle instead current people; add two people support user group
slack users_conversations: which channels eva in
slack users_getPresence: someone online; tom online at moment or away; fatima online at moment; tom at desk; julia online; omar online; who online
slack users_info: who user; what know about user; look up who
slack users_list: list everybody in workspace; give me list everybody in workspace; which people in slack; list everybody who works here; list users
slack users_lookupByEmail: find slack user by email address; find slack account belongs maria corp com; find user by email; find user email ben example com
slack users_profile_get: whats ahmeds phone number title; show marias profile
slack users_profile_set: set status; set status on holiday palm tree; show lunch icon next name; set status on vacation
slack users_setPhoto: swap profile picture
slack users_setPresence: set me as away; show me as away; set presence
slack views_open: open dialog window user; open modal form after user clicks button; show form user
stripe DELETE /v1/coupons/{}: delete coupon; delete discount code abused; make summer coupon unusable from on
stripe DELETE /v1/customers/{}/discount: take coupon away from customer
stripe DELETE /v1/customers/{}: delete customer; remove bruno from customer base completely; delete customer all data
stripe DELETE /v1/invoices/{}: cancel draft bill nordwind; delete draft not send invoice
stripe DELETE /v1/subscriptions/{}: cancel subscription; stop billing customer at once end subscription today; cancel subscription miller away
stripe DELETE /v1/webhook_endpoints/{}: delete webhook endpoint
stripe GET /v1/balance: how much money in stripe balance; how much money available in account; how much money available; what in stripe account how much pay out
stripe GET /v1/balance_transactions/{}: how much stripe keep as fees on transaction
stripe GET /v1/balance_transactions: show fees stripe took from last week; balance transactions
stripe GET /v1/charges/{}: look up what charge
stripe GET /v1/charges: who bought something today
stripe GET /v1/customers/search: find customer by email; find customer whose mail joe bakery fr; find all customers e-mail address jane example com
stripe GET /v1/customers/{}/payment_methods: saved payment methods customer; saved cards customer; which cards client stored; which cards she on file
stripe GET /v1/customers/{}: look up customer cus
stripe GET /v1/customers: how many customers signed up week
stripe GET /v1/disputes: open disputes; which disputes waiting answer; show payment disputes; which customers contesting payments; show disputes still answer
stripe GET /v1/events: what happened recently in account events; log what happened recently; show me what happened in account today; which events sent webhook
stripe GET /v1/invoices/upcoming: preview upcoming invoice; what next months bill subscriber look; what bill going look customer at end month; preview next invoice; client wants know what she pay next month; what customer pay if she switched big plan
stripe GET /v1/invoices/{}: show details invoice in
stripe GET /v1/invoices: which invoices unpaid; anna unpaid bills; jonas pay last invoice; which invoices overdue; list all invoices customer
stripe GET /v1/payment_intents/{}: payment order succeeded
stripe GET /v1/payment_intents: shopper wants copy what she paid in march look up payments; list failed payments; show all payments customer kim in may
stripe GET /v1/payouts/{}: transfer bank arrive
stripe GET /v1/payouts: list recent payouts; money on way bank; when money last go bank account; download list payouts bookkeeper; when next payout come; when money arrive on bank account; how much money on way bank
stripe GET /v1/prices: list all prices; which prices gold product
stripe GET /v1/products: what products sell
stripe GET /v1/quotes/{}/pdf: download offer as pdf
stripe GET /v1/refunds/{}: refund status
stripe GET /v1/refunds: which payments refunded; list refunds made in may; how many refunds give week
stripe GET /v1/shipping_rates: prices charge shipping
stripe GET /v1/subscriptions: which subscriptions lose month; how many people on gold plan; show customers subscriptions; which subscriptions end month; which customers pay premium plan
stripe GET /v1/webhook_endpoints: show all webhooks stripe calls
stripe POST /v1/account_links: onboard seller on marketplace get link identity form
stripe POST /v1/accounts: onboard new merchant on marketplace
stripe POST /v1/billing_portal/sessions: customer manage billing; customer manage cards plan by herself; give user hosted page where they change card download receipts; client manage own subscription cards on hosted page link; customer portal link
stripe POST /v1/checkout/sessions/{}/expire: end open checkout page; buyer abandoned cart close checkout
stripe POST /v1/checkout/sessions: create checkout page; checkout page one-off purchase three items; shop needs payment page single order
stripe POST /v1/coupons: create discount coupon; make off coupon; give all students half price; offer percent off first three months; create coupon
stripe POST /v1/credit_notes: knock euros off invoice already sent; give customer partial credit on invoice
stripe POST /v1/customers/{}/balance_transactions: add euros credit customers balance
stripe POST /v1/customers/{}/tax_ids: add customers vat number appears on invoices; note vat number company; register vat number customer
stripe POST /v1/customers/{}: client changed e-mail address update record; make card default one customer; customer moved change address; update customers email; customer typed name wrong correct
stripe POST /v1/customers: create customer; new customer; sign up new buyer named bruno bruno mail com; sign ms okafor up as customer; create new customer acme
stripe POST /v1/disputes/{}/close: mark contested payment as lost dont fight; accept dispute give up; accept dispute wont fight
stripe POST /v1/disputes/{}: submit evidence dispute; upload evidence against chargeback; upload proof delivery fight chargeback; bank wants proof chargeback hand in receipts delivery note; bank asks documents because buyer disputes payment
stripe POST /v1/invoiceitems: put euro setup fee on next bill; add line shipping invoice; take euros off next bill; bill customer euros repair on next invoice
stripe POST /v1/invoices/{}/finalize: finalize invoice; make invoice final go out; invoice ready lock go out
stripe POST /v1/invoices/{}/mark_uncollectible: write off invoice in they went bankrupt; stop collecting bad debt; write off invoice they never pay
stripe POST /v1/invoices/{}/pay: mark invoice as paid because they gave cash; collect open invoice; client paid invoice by bank transfer record settled; try collect money unpaid invoice again
stripe POST /v1/invoices/{}/send: send invoice by email; email invoice client again; email invoice client
stripe POST /v1/invoices/{}/void: void invoice; invoice mistake must never collected cancel good
stripe POST /v1/invoices: draft new invoice; bill acme consulting hours; create invoice customer she pays in days
stripe POST /v1/issuing/cards/{}: freeze company card gave dana until she finds wallet; freeze virtual card driver; freeze employees company card
stripe POST /v1/payment_intents/{}/cancel: call off payment customer changed mind; cancel payment before goes through
stripe POST /v1/payment_intents/{}/capture: capture authorized payment; take put on hold on hotel guests card; capture held funds; held euros on card at check-in really take money; take reserved amount off card; capture payment
stripe POST /v1/payment_intents: charge card; charge smiths dollars on card; charge customers saved card dollars
stripe POST /v1/payment_links: make payment link; page where someone pay dollars workshop link share; create payment link; make link where people pay workshop
stripe POST /v1/payment_methods/{}/attach: attach card customer; customer wants pay by another card add profile; attach payment method customer
stripe POST /v1/payment_methods/{}/detach: forget saved visa customer; forget saved card; remove old bank card mr sato; remove saved card
stripe POST /v1/payouts: pay out money bank; send whats in balance bank; move euros from balance bank account
stripe POST /v1/prices/{}: stop offering basic price
stripe POST /v1/prices: set price product; set up new price month pro plan; raise monthly price pro plan from dollars new signups; set price product euros month
stripe POST /v1/products/{}: stop selling blue mug; change description premium product; stop selling t-shirt; archive product
stripe POST /v1/products: add product catalogue; add new product yoga mat catalogue; put new product in catalogue
stripe POST /v1/promotion_codes/{}: turn off promo code summer
stripe POST /v1/promotion_codes: create promotion code; make off code called; make code people type in get percent off deal; make code customers type in discount
stripe POST /v1/quotes/{}/accept: quote agreed accept
stripe POST /v1/quotes: prepare offer school
stripe POST /v1/radar/value_list_items: somebody tests stolen cards put ip on block list
stripe POST /v1/refunds: refund payment; give customer euros back last weeks charge; refund half payment; give back half what mr okoro paid last tuesday; ms diaz charged twice return one payments; give customer half money back; pay back buyer because parcel got lost; card charged twice give one them back; give back dollars dollar payment
stripe POST /v1/reporting/report_runs: send transactions march as report
stripe POST /v1/setup_intents: save customers card without charging
stripe POST /v1/subscription_items/{}/usage_records: report metered customer used another gigabytes today
stripe POST /v1/subscription_items/{}: add second seat customers plan; change quantity licences in subscription from
stripe POST /v1/subscription_schedules: subscription begin on first next month
stripe POST /v1/subscriptions/{}/resume: resume paused subscription; wake up paused subscription; reactivate paused membership; reactivate paused subscription
stripe POST /v1/subscriptions/{}: upgrade plan subscription; stop acmes subscription at end month; pause collecting on subscription; move kims yearly plan; pause billing omar two months; pause collecting payments subscription; switch subscription premium plan
stripe POST /v1/subscriptions: start subscription customer; put lims on monthly plan from today; put customer on yearly plan starting today; start two week trial pro plan new customer
stripe POST /v1/tax_rates: create tax rate; add vat as rate; charge sales tax in texas; add sales tax rate percent
stripe POST /v1/terminal/readers: put berlin shops card terminal into system
stripe POST /v1/transfers/{}/reversals: reverse transfer seller
stripe POST /v1/transfers: transfer money connected account; send vienna partners share euros over connected account; send seller part yesterdays sale; send dollars connected account seller; suppliers share order go connected account
stripe POST /v1/webhook_endpoints/{}: switch webhook off
stripe POST /v1/webhook_endpoints: register webhook endpoint; tell server at url whenever payment succeeds; tell server about every successful payment
twilio CreateAccount: create subaccount; set up separate account each clients under ours; open subaccount; open separate account kigali branch; open account new branch office under main account
twilio CreateAddress: store office address emergency calls
twilio CreateApplication: set up application incoming calls
twilio CreateCall: call phone number; ring customer play greeting; call someone; ring mrs adeyemi read appointment reminder; phone pharmacy; call mrs jones read appointment time; call customer play greeting; ring on-call engineer read out alert; make phone call
twilio CreateCallRecording: start recording call; start taping call; start recording call going on; start recording conversation agent kim having on phone; record running call; start recording conversation
twilio CreateIncomingPhoneNumber: buy phone number; buy number; buy phone number in berlin; got new office buy number area code
twilio CreateIncomingPhoneNumberLocal: give me local number in chicago
twilio CreateIncomingPhoneNumberMobile: customers reach under mobile number get one
twilio CreateIncomingPhoneNumberTollFree: buy toll-free number
twilio CreateMessage: send text message sms; text parcel arrived; text phone number; text customer; send customer picture receipt by mms; send whatsapp driver; send clients message closed tomorrow; send text message; send whatsapp customer; send customer sms picture delivery; send sms
twilio CreateNewKey: create api key twilio; make new api key web team; create api key new service
twilio CreateParticipant: add someone conference call; bring another person into running conference by dialling them; add zoe conference; bring manager into conference; call three people into one conference
twilio CreateQueue: create waiting line support callers; make queue vip callers; make waiting line callers
twilio CreateSipIpAddress: allow office pbx at through by adding trusted addresses
twilio CreateUsageTrigger: alert me when usage exceeds limit; warn me when usage goes over dollars; warn as soon as daily cost goes over dollars; warn system as soon as spent more than dollars on texts; warn me when usage passes dollars; notify server whenever spend more than dollars day
twilio CreateValidationRequest: verify caller; show own mobile as caller get verified first; own mobile show up as sender when ring people get verified; verify own phone used as caller
twilio DeleteCall: delete all traces phone call
twilio DeleteIncomingPhoneNumber: release phone number; give back number dont use more; dont lyon number more hand back; release number no longer
twilio DeleteKey: remove api key old server
twilio DeleteMedia: delete picture sent message
twilio DeleteMessage: delete embarrassing text; delete text sent by mistake; delete message from log; delete text message password
twilio DeleteParticipant: throw caller from leeds out running conference; kick sam out conference; kick out noisy participant; throw troublemaker out conference; kick someone out conference
twilio DeleteRecording: delete recording; erase recording tuesdays conversation; erase voice recording; delete recording call; get rid recordings older than month
twilio DeleteTranscription: throw away transcription
twilio DeleteUsageTrigger: remove usage alarm
twilio FetchBalance: what twilio account balance; what credit left on account; how much credit left; how much money left
twilio FetchCall: details one phone call; how long call peter; call clinic still running; how long call take; how long call plumber
twilio FetchMedia: download picture customer sent by mms
twilio FetchMember: who first in line
twilio FetchMessage: sms delivered; sms actually get delivered; text delivered or fail; message reach customer; what status message; message delivery status
twilio FetchQueue: how many callers waiting in queue; how many callers waiting
twilio FetchRecording: recording call ready
twilio FetchRecordingTranscription: get transcript recording
twilio ListAccount: show me sub-accounts
twilio ListAvailablePhoneNumberLocal: search available local numbers in area code; find me free phone number in canada area code; which numbers buy in uk; available phone numbers in germany
twilio ListAvailablePhoneNumberMobile: what mobile numbers get in rwanda
twilio ListAvailablePhoneNumberTollFree: find toll-free number buy; what toll-free numbers get in; find toll-free numbers; free numbers buy; get number in uk; search toll-free numbers
twilio ListCall: list recent phone calls; who called last night; list all calls last tuesday; list calls got yesterday; which calls get yesterday
twilio ListCallRecording: play back all conversations taped call; download recording call
twilio ListConference: which conferences running; which conferences going on
twilio ListConferenceRecording: which recordings belong conference
twilio ListIncomingPhoneNumber: which phone numbers own; numbers own; which numbers belong; which phone numbers; list phone numbers; which numbers start
twilio ListMedia: give me pictures came mms; which pictures came message; show me photos customers sent; there picture attached message
twilio ListMember: callers waiting in queue; people waiting on hold; which callers in support queue; who waiting in support queue; who waiting served
twilio ListMessage: read incoming text messages; which texts send out yesterday; list sent messages; show text messages from; which messages failed yesterday; show all text messages received from customer last week
twilio ListNotification: what went wrong calls errors logged; see all errors last hour
twilio ListParticipant: who on conference call at moment; who on conference call; conference participants
twilio ListRecording: list call recordings; listen what recorded last monday; which recordings; where listen recordings
twilio ListRecordingTranscription: get written text voicemail recording; what said in voicemail read
twilio ListShortCode: short codes; which short codes own
twilio ListUsageRecordDaily: what pay per day
twilio ListUsageRecordLastMonth: how much spend on sms last month; what pay twilio last month; what spend last month; what calls last month cost
twilio ListUsageRecordThisMonth: how much spend month; how much spend on sms month; how much spend on calls month; usage month; show what spent on text messages month
twilio ListUsageRecordToday: how much used today
twilio ListUsageRecordYesterday: yesterdays spending
twilio UpdateAccount: suspend branch account; close down test subaccount; suspend subaccount client; not subaccount acme longer
twilio UpdateCall: hang up call; hang up call going on; transfer running call another number; connect caller second office; end call; cancel call before anybody picks up
twilio UpdateCallRecording: stop recording call; pause recording while she says card number; stop recording
twilio UpdateConference: end conference; end conference everyone; conference end everybody
twilio UpdateIncomingPhoneNumber: send incoming messages on main number new webhook address; point support number at new webhook incoming calls; from today incoming calls sales number go new web address; forward all calls on hotline number new app; change name number in console; rename sales number hotline; change where calls number sent; rename second phone number
twilio UpdateMember: take next caller out queue; send next person in queue agent two
twilio UpdateMessage: remove text message from logs privacy; hide text message privacy; cancel text not gone out yet
twilio UpdateParticipant: mute participant in conference; mute sam in conference; mute conference caller; put mia on hold in meeting call; mute anna in conference; put tom on hold; put caller on hold while ask colleague
`
