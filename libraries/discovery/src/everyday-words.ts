// table
/**
 * What people say and what interfaces call it: a word or phrase of requests, then words of tools,
 * likeliest first. `a-b` stands for both words together. General English and the words of the field
 * only: an entry that serves a single request would hide how well others are answered.
 */
export const EVERYDAY_WORDS = `
squash: merge; combine: merge; land: merge; integrate: merge; tape: record recording
film: record recording; ring: call; phone: call phone-number; telephone: call phone-number
dial: call; voice: call; caller: call; ringing: call; text: message sms; sms: message
mms: message media; whatsapp: message; whisper: ephemeral; announce: post-message message
tell: post-message message; say: post-message message history; said: history message
write: message post create; shout: message; ping: message; broadcast: message; bring: invite add
include: add; let in: invite add; welcome: invite; onboard: invite add member
kick out: kick remove; kick: kick remove; throw out: kick remove; boot: kick remove
expel: kick remove; ban: block; silence: mute; quiet: mute dnd
unmute: update-participant mute participant; wipe: delete remove; erase: delete remove
trash: delete; scrap: delete; discard: delete dismiss; purge: delete clear; clean up: delete
clear out: delete clear; get rid of: delete remove; throw away: delete; tear down: delete
take down: delete remove; take off: remove; take away: remove revoke; drop: delete remove
forget: delete remove detach; kill: delete terminate; terminate: delete end; destroy: delete
undo: revert reverse remove delete; revert: revert reverse
roll back: rollback revert patch-deployment; unsave: remove delete; reimburse: refund
pay back: refund; money back: refund; give back: refund release return delete
return: refund return; hand back: release delete; let go: release delete; call off: cancel
abort: cancel; stop: cancel stop; end: cancel end; halt: cancel suspend; quit: leave cancel
unsubscribe: delete-subscription subscription; freeze: pause suspend; hold: pause hold participant
unpause: resume; continue: resume; bring back: restore reactivate unarchive
revive: restore reactivate unarchive; reactivate: reactivate resume; retry: rerun; re run: rerun
redo: rerun; run again: rerun; try again: rerun; start again: rerun restart
kick off: dispatch rerun run create; fire off: dispatch send; trigger: dispatch trigger
manually: dispatch; by hand: dispatch; assign: assignee assign; hand over: transfer assign
give to: assign; sign off: approve review; lgtm: approve review; approve: approve review
okay: approve; greenlight: approve; decline: reject decline; refuse: reject decline
turn down: reject decline; deny: reject decline block; look over: review; review: review reviewer
feedback: review feedback; watch: watch subscription; follow: follow subscription
hide: minimize hide; validate: verify; double check: verify; relocate: move transfer
shelve: archive; mothball: archive; close down: archive close delete
shut down: close delete archive; wind down: archive cancel; stick: pin; bookmark: star bookmark
favourite: star; favorite: star; save for later: star; like: star reaction; thumbs up: reaction
thumbs down: reaction; smiley: emoji reaction; heart: reaction; emoji: reaction emoji
react: reaction; nudge: reminder; remind: reminder; later: schedule scheduled
postpone: schedule snooze update; do not disturb: dnd snooze; don't disturb: dnd snooze
bother: dnd snooze; disturb: dnd; interrupt: dnd; leave me alone: dnd snooze; focus: dnd snooze
peace: dnd snooze; snooze: dnd snooze; online: presence; away: presence
available: available presence; active: presence active; typo: update; correct: update; fix: update
amend: update; revise: update; tweak: update; adjust: update; alter: update; bump: update scale
raise: update create increase; lower: update; swap: update replace; switch: update; reword: update
rephrase: update; rewrite: update; turn on: enable; turn off: disable; switch on: enable
switch off: disable; activate: enable activate; deactivate: disable deactivate
replica: scale replica; instance: replica pod; copies: scale replica; grow: scale resize
shrink: scale resize; resize: resize scale; roll out: deployment update; rollout: deployment
ship: deployment release deliver; deploy: deployment; go live: deployment publish; cordon: node
unschedulable: node; taint: node; drain: eviction node; evict: eviction; machine: node
server: node webhook; box: node; worker: node runner; workload: deployment pod; output: log
stdout: log; crash: log pod issue; crashed: log; print: log; trace: log; warning: event alert
happened: event history; happening: event; went wrong: event error
setting: setting configuration configmap; config: configuration configmap config-map
config map: configmap; configuration: configuration configmap setting
preference: setting preference; feature flag: configmap variable; password: secret credential
passcode: secret; credential: secret credential; certificate: certificate secret
domain: domain ingress; hostname: ingress domain; host: ingress host; route: ingress route
traffic: network-policy traffic; firewall: network-policy; isolate: network-policy
load balancer: service ingress; disk: volume persistent-volume
storage: volume storage persistent-volume; gigs: volume storage; gigabytes: volume storage
gb: volume storage; every night: cron-job schedule; every day: cron-job schedule daily
every hour: cron-job schedule; every morning: cron-job schedule; every week: cron-job schedule
every month: cron-job schedule monthly; every minute: cron-job; nightly: cron-job workflow
periodically: cron-job schedule; recurring: subscription cron-job; cron: cron-job; one off: job
batch: job batch; autoscale: autoscaler; autoscaling: autoscaler; automatically: autoscaler auto
by cpu: autoscaler; cpu: autoscaler metric quota limit; memory: metric quota limit
database: database stateful-set; stateful: stateful-set; on every node: daemon-set
each node: daemon-set; agent: daemon-set agent; shell: exec pod; command: exec command
run inside: exec; execute: exec; tunnel: portforward; port forward: portforward
quota: quota rate-limit; limit: limit quota; budget: budget usage; rbac: role role-binding
bind: role-binding bind; right: permission role access; permission: permission role access
access: collaborator permission access role; allowed: permission; allow: role-binding grant allow
admin: admin owner; write access: collaborator role-binding; read access: collaborator role-binding
push access: collaborator; robot account: service-account; bot: bot service-account
custom resource: custom-resource-definition; crd: custom-resource-definition
hpa: horizontal-pod-autoscaler; pvc: persistent-volume-claim; pv: persistent-volume
pdb: pod-disruption-budget; ns: namespace; svc: service; k8s: kubernetes; repo: repository repo
repository: repo repository; project: repo repository project; codebase: repo repository
source code: repo repository; upstream: fork repo; clone: fork clone; duplicate: fork copy
pr: pull-request; prs: pull-request; mr: pull-request; merge request: pull-request
patch: pull-request commit; bug: issue; defect: issue; ticket: issue; problem: issue
task: issue task job; feature request: issue; complaint: issue dispute; tag: label tag
sticker: label; sprint: milestone; deadline: milestone; goal: milestone
build: workflow-run workflow; ci: workflow-run workflow action
pipeline: workflow-run workflow action; check: check check-run; broke: fail failed
broken: fail failed; break: fail failed; fell over: fail failed; failing: fail failed
fail: failed failure; failed: fail failure; red: fail failed; build output: artifact log
build machine: self-hosted-runner; runner: self-hosted-runner; colleague: member user collaborator
coworker: member user collaborator; teammate: member user collaborator
developer: user collaborator contributor; person: user person member; people: user member
someone: user; somebody: user; everyone: member user; everybody: member user; anyone: user
employee: member user; staff: member user; company: organization; org: organization
organisation: organization; env: environment variable; env var: variable
environment variable: variable; token: token secret key; api key: key; ssh key: key
deploy key: deploy-key; security hole: alert vulnerability
security holes: dependabot-alert vulnerability; hole: vulnerability alert
vulnerable: vulnerability dependabot-alert; vulnerability: dependabot-alert alert advisory
vulnerabilities: dependabot-alert alert advisory; cve: advisory alert; outdated: dependabot update
dependency: dependabot dependency; dependencies: dependabot dependency
leaked: secret-scanning-alert; leak: secret-scanning-alert; security: security alert; trunk: branch
master: branch; branch: branch ref; branches: branch ref; protect: protection ruleset
guard: protection ruleset; force push: branch-protection; push: push commit
pushes: branch-protection push; rule: rule ruleset protection; diff: compare; difference: compare
differ: compare; changed between: compare; changed: commit file update; changelog: release-note
file: file content; document: file; pdf: file; doc: file; picture: media image file
photo: media image file; image: image media; screenshot: file; attachment: file media asset
video: file media; folder: content; directory: content user-list; snippet: gist; paste: gist
code snippet: gist; inbox: notification; unread: notification unread mark; mark as read: mark-read
notify: notification webhook; note: note comment; reply: reply comment thread
answer: reply response; thread: thread reply; discussion: discussion conversation issue thread
version: release version tag; download: download asset; website: page site; site: page
visitor: traffic view; views: traffic view; popular: traffic; licence: license
whoami: authenticated-user me auth-test; who am i: authenticated-user auth-test
my profile: authenticated-user profile; profile: profile user; dev environment: codespace
rate limit: rate-limit; requests left: rate-limit; client: customer client; buyer: customer
shopper: customer; subscriber: subscription customer; guest: customer; purchaser: customer
payer: customer; charge: charge payment-intent; bill: invoice; billed: invoice; estimate: quote
offer: quote; proposal: quote; plan: plan subscription price; membership: subscription membership
recurring payment: subscription; fee: price fee invoice-item; cost: price usage cost
item: item product; goods: product; catalog: product; catalogue: product
discount: coupon promotion-code discount; promo: promotion-code coupon; promo code: promotion-code
discount code: promotion-code coupon; promotional: promotion-code coupon
voucher: coupon promotion-code; percent: coupon discount; card: card payment-method
credit card: card payment-method; visa: card payment-method; mastercard: card payment-method
amex: card payment-method; bank: bank-account payout; iban: bank-account; wallet: payment-method
save card: setup-intent; pay: payment pay; paid: payment pay
payment: payment payment-intent charge; checkout: checkout-session
checkout page: checkout-session payment-link; payment page: payment-link checkout-session
pay link: payment-link; link to pay: payment-link; fund: balance; money: balance payment
cash: balance; credit: balance credit; remaining: balance; earning: balance-transaction payout
revenue: balance-transaction; to my bank: payout; to the bank: payout; to bank: payout
bank transfer: payout transfer; cash out: payout; chargeback: dispute; disputed: dispute
contest: dispute; proof: evidence dispute; evidence: evidence dispute; fraud: radar fraud review
suspicious: review fraud; fraudulent: fraud review; vat: tax tax-id; sales tax: tax tax-rate
gst: tax tax-rate; credit memo: credit-note; self service: billing-portal-session
themselves: billing-portal-session; portal: billing-portal-session portal; seller: account
merchant: account; vendor: account; supplier: account; connected account: account
metered: usage-record; statement: invoice report; write off: uncollectible; bad debt: uncollectible
uncollectable: uncollectible; authorise: authorization capture; authorized: capture authorization
put on hold: update-participant hold capture; on hold: participant hold capture; held: capture
next invoice: upcoming-invoice; next bill: upcoming-invoice; next month: upcoming
look like: upcoming preview; preview: preview upcoming; saved: payment-method source
virtual card: issuing-card; employee card: issuing-card; card machine: terminal-reader
card reader: terminal-reader; pos: terminal-reader; delivery: shipping deliver; e mail: email
mail: email; url: url link webhook-endpoint; callback: webhook callback; endpoint: endpoint webhook
hook: webhook hook; webhook: webhook hook webhook-endpoint
let me know when: webhook-endpoint trigger; whenever: webhook-endpoint webhook; warn: trigger alert
alert: alert trigger; goes over: trigger threshold; exceed: trigger threshold limit
channel: channel conversation; room: conversation channel; group chat: conversation-open mpim
chat: chat message conversation; dm: conversation im; direct message: conversation im
private message: conversation im; backlog: history; past messages: history
talk: search-message history; talked: search-message history; mention: search-message
posted: message history chat; who is in: member participant; who's in: member participant
who is on: participant member; attendee: participant member; headline: topic title
group: group usergroup milestone; user group: usergroup; mailing group: usergroup
handle: usergroup; workspace: team workspace; status: status profile; share: upload share
attach: attach upload; look up: lookup; belongs: lookup; find: search find; locate: search find
link: link permalink; modal: view; popup: view; home tab: view-publish; login: access-log
sign in: access-log; hang up: update-call call; voicemail: recording; transcript: transcription
transcribe: transcription; written: transcription; conference call: conference
group call: conference; phone number: phone-number; freephone: toll-free; 800 number: toll-free
area code: available-local; free phone number: available-phone-number
free number: available-phone-number; could get: available; to buy: available
our number: incoming-phone-number; own: incoming own; buy: incoming-phone-number purchase create
purchase: incoming-phone-number purchase create; rent: incoming-phone-number
port: incoming-phone-number; spend: usage-record usage; spent: usage-record usage
spending: usage-record usage; consumption: usage-record usage; usage: usage usage-record
subaccount: account; sub account: account; delivered: message status; received: inbound message
incoming: incoming inbound; caller id: outgoing-caller-id validation-request
error log: notification; verify number: validation-request; number: phone-number number
main branch: branch; to the top: pin; at the top: pin; by itself: autoscaler; versus: compare
reopen: update state; close: update close state; finish: update complete close
resolve: update resolve state; done: close complete; unassign: remove-assignee
responsible: assignee; in charge: assignee; owner: owner assignee; take over: assign transfer
remark: comment note; line comment: review-comment; inline: review-comment; on line: review-comment
feedback on: review comment; chime in: comment; respond: reply comment; get back to: reply
answer to: reply; weigh in: comment review; request changes: create-review review
take a look: review; look at: review get; second pair of eyes: review requested-reviewer
ask review: request-reviewer; reviewer: requested-reviewer reviewer
ask to review: request-reviewer; ready for review: update-pull; conflict: conflict merge
up to date: update sync; sync: merge-upstream sync update; catch up: update-branch merge-upstream
new branch: create-ref branch; cut a branch: create-ref; branch off: create-ref
tag a commit: create-tag ref; rename branch: rename-branch; default branch: update-repo branch
commit history: list-commit; recent changes: list-commit; latest changes: list-commit
who wrote: commit contributor; blame: commit; author: commit contributor user
most active: contributor stats; contributions: contributor stats activity; statistic: stats
statistics: stats statistic; numbers about: stats; logs: log; log file: log; log output: log
grab: download get; pull down: download; fetch: download get; zip: zipball archive download
tarball: tarball archive; source archive: zipball tarball; build result: artifact workflow-run
test result: check-run; ci result: check-run workflow-run; green: success status check
passing: check status success; commit status: commit-status; check status: status check
disable workflow: disable-workflow; cached: cache; staging: environment namespace
production: environment namespace; prod: environment namespace
pending deployment: pending-deployment; approve deployment: review-pending-deployment
self hosted: self-hosted-runner; visitor count: traffic view; visited: traffic view
clicks: traffic view; cloned: traffic clone; referrer: referrer traffic; coming from: referrer
who starred: stargazer; starred: starred star; watcher: watcher subscriber; followers: follower
stop following: unfollow; stop watching: delete-subscription; mute thread: thread-subscription
unwatch: delete-subscription; make private: update-repo visibility
make public: update-repo visibility; rename: rename update name; retitle: update title
move to: transfer move update; new repo: create-repo repository; from template: template generate
topics: topic; keyword: topic; issue template: template; subtask: sub-issue; sub task: sub-issue
child issue: sub-issue; blocked by: dependency blocked; depends on: dependency
epic: milestone parent; due date: milestone; project board: project; board: project
kanban: project; outside: ingress outside-collaborator; invite: invite invitation
pending invitations: invitation; accept invitation: accept-invitation
who can: collaborator permission member; can push: collaborator permission
admin rights: permission admin; permission level: permission collaborator
member: member membership; belong: member own; part of: member; join: join member
team members: team-member; squad: team; department: team; crew: team; public key: public-key key
gpg: gpg-key; signing key: signing-key; email addresses: email; blocked: block blocked
block user: block; gists: gist; code search: search-code; search code: search-code
where in the code: search-code; code scanning: code-scanning-alert; scan: scanning alert
static analysis: code-scanning; leaked password: secret-scanning-alert
exposed: secret-scanning-alert service; bill of materials: sbom; packages: package
container image: image container deployment package; docker image: package image
npm package: package; dependency graph: dependency-graph sbom; cloud ide: codespace; pages: page
github pages: page; publish website: page; custom domain: page domain; event feed: event activity
timeline: timeline event; what happened: event timeline; activity: activity event; audit: audit log
audit log: audit-log access-log; test webhook: ping-webhook test
redeliver: redeliver-webhook delivery; delivery attempts: delivery webhook
delete file: delete-file; upload a file: create-file upload file; edit file: file-content
update the file: create-update-file-content; read file: get-content; file content: content
commit a file: create-file-content; file in the repo: content; unpaid: invoice open due
overdue: invoice; outstanding: invoice; owe: invoice balance; owes: invoice; due: invoice
receipt: charge invoice; purchase history: charge invoice; orders: order checkout-session
transaction: transaction balance-transaction charge; movements: balance-transaction
incoming money: charge balance-transaction; sale: charge payment-intent order
sales: charge payment; sold: charge payment product; selling: product price; sell: product price
stop selling: update-product product; retire: update delete archive
discontinue: update-product delete; article: product; merchandise: product; sku: product
price tag: price; pricing: price; monthly price: price plan; yearly plan: subscription plan
annual: subscription yearly; monthly: monthly subscription month; trial: subscription trial
free trial: subscription trial; upgrade: update-subscription upgrade
downgrade: update-subscription; change plan: update-subscription subscription
switch plan: update-subscription; to the plan: subscription
sign up: create register customer subscription; signed up: customer subscription
churn: subscription cancel; quantity: subscription-item quantity
add on: subscription-item invoice-item; line item: invoice-item line-item; one time: invoice-item
extra line: invoice-item; add to the invoice: invoice-item; finalise: finalize
issue invoice: finalize-invoice; settle: pay; collect: pay capture
collect payment: pay-invoice pay; try to charge again: pay-invoice; retry payment: pay-invoice
invalidate: void invalidate revoke; knock off: credit-note discount; deduct: credit-note balance
partial refund: refund; refunded: refund; refunds: refund; cancel payment: cancel-payment-intent
authorisation: authorization payment-intent; reserve: authorize payment-intent
take money: charge payment-intent; take payment: payment-intent checkout-session
charge the card: payment-intent charge; off session: payment-intent; save a card: setup-intent
store a card: setup-intent payment-method; new card: attach-payment-method setup-intent card
default card: update-customer payment-method; cards on file: payment-method
on file: payment-method; ways to pay: payment-method; account holder: customer account
customer base: customer; customer record: customer; customers details: customer
contact details: customer; seller's account: account; marketplace: account
onboarding: account-link account; onboarding link: account-link; split: transfer
commission: application-fee; platform fee: application-fee; go to bank: payout; money go to: payout
paid out: payout; settlement: payout; top up: topup; add funds: topup; exchange rate: exchange-rate
currency: exchange-rate currency; conversion: exchange-rate; tax number: tax-id; vat number: tax-id
vat rate: tax-rate; tax exempt: update-customer tax; send a quote: finalize-quote quote
agreed: accept; company card: issuing-card; freeze the card: issuing-card; reader: reader terminal
id check: verification-session; identity: identity verification-session
kyc: verification-session person; monthly report: report-run; financial report: report-run
export: report-run export; fraud warning: early-fraud-warning; blocklist: value-list
block list: value-list; blacklist: value-list block; whitelist: value-list allow; events: event
gift card: coupon; rebate: coupon credit-note; take back: delete refund revoke
unsend: chat-delete delete; delete post: delete-message chat-delete; my post: message chat
post: post message; edit message: chat-update update-message; edit my: update
planned: scheduled schedule; queued message: scheduled-message
scheduled message: scheduled-message; message planned: scheduled-message
later message: schedule-message; private note: direct-message conversation-open post-message
drop a line: post-message message; reach out: message conversation-open
let know: message post-message notification; inform: message post-message
heads up: post-message message; shout out: message; greet: message; congratulate: message
thank: message; reply in thread: post-message; into the channel: conversation-invite conversation
let me into: join; get me into: join; join the channel: join; get out: leave; get me out: leave
step out: leave; walk out: leave; exit: leave; remove from the channel: kick
kick from: kick remove; boot out: kick remove; add to the channel: invite; loop in: invite
pull in: invite; archived channel: unarchive; back to life: unarchive restore
rename channel: conversation-rename; which channels: conversation-list user-conversation
list of channels: conversation-list; my channels: user-conversation
channel info: conversation-info; private channel: conversation private
public channel: conversation; group dm: conversation-open mpim; channel topic: set-topic
idle: presence; invisible: set-presence presence; show me as: presence; appear: presence
time zone: user-info profile; job title: profile; avatar: photo profile
profile picture: set-photo photo; profile photo: set-photo photo; nickname: profile
display name: profile; phone of: user-info profile; all users: user-list; pinned: pin-list pin
unpin: pin-remove unpin; pins: pin; checkmark: reaction; check mark: reaction; tick: reaction
reacted: reaction; reactions: reaction; unreact: remove-reaction; custom emoji: emoji-list
reminders: reminder; spreadsheet: file; slides: file; recording file: recording
unshare: revoke-public-url; public link: shared-public-url; share publicly: shared-public-url
starred items: star-list; saved items: star-list; bookmarked: star; search messages: search-message
look for: search find; dig up: search; who said: search-message; mentioned: search-message
group members: usergroup-user; on call: usergroup; team handle: usergroup
new group: usergroup-create group; workspace name: team-info; workspace info: team-info
mark read: mark; unread messages: conversation-history mark; last read: mark; wake up: end-snooze
notifications back on: end-dnd end-snooze; stop snoozing: end-snooze; quiet hours: dnd
test the token: auth-test; log out: revoke; sign out: revoke session
log everyone out: session-reset; apps: deployment application; app: application deployment app
application: application deployment; deployed: deployment; pods: pod; restart: restart patch delete
bounce: delete restart; rolling restart: patch-deployment; new image: deployment image
scale up: scale; scale down: scale; scale to: scale; more instances: scale replica
fewer instances: scale; healthy: status; health: status health; state of: status
crash loop: pod log event; crashing: pod log event; why: event log status; describe: read get
details: get read info; info: info get; everything about: get read; terminal session: exec
ssh into: exec; log into: exec; inside the container: exec; container: container pod
debug container: ephemeral-container; expose: service expose; reachable: service ingress
internet: ingress; in front of: ingress; tls: secret ingress certificate; services: service
consume: quota usage; cap: quota limit; resource limits: resource-quota limit-range
quotas: resource-quota; limit memory: limit-range resource-quota; scheduled task: cron-job
scheduled job: cron-job; recurring job: cron-job; recurring task: cron-job; timer: cron-job
backup job: job cron-job; once: job; migration: job migration; background job: job; batch job: job
jobs: job; finished jobs: job; every machine: daemon-set; every node: daemon-set
each machine: daemon-set; all machines: daemon-set node; all nodes: daemon-set node
collector: daemon-set; statefulset: stateful-set; daemonset: daemon-set; replicaset: replica-set
cronjob: cron-job; configmap: config-map configmap; app settings: config-map
config file: config-map; secrets: secret; value of secret: secret; tls certificate: secret
space: volume namespace; persistent: persistent-volume; claim: persistent-volume-claim claim
storage class: storage-class; kinds of storage: storage-class; service account: service-account
robot: service-account bot; who may: role-binding access-review permission
am i allowed: self-subject-access-review; allowed to: access-review role permission
cluster wide: cluster-role cluster; cluster role: cluster-role; cluster admin: cluster-role-binding
roles: role; traffic between: network-policy; network: network network-policy
isolated: network-policy; network rule: network-policy; cut off: network-policy block
priority: priority-class priority; disruption: pod-disruption-budget
at least available: pod-disruption-budget; keep alive: pod-disruption-budget
admission: admission webhook; csr: certificate-signing-request
certificate request: certificate-signing-request; nodes: node; hardware: node
namespaces: namespace; area: namespace area local; sandbox: namespace; project space: namespace
label a node: patch-node; maintenance: node eviction; called us: call; calls: call; called: call
phone call: call; phoned: call; call log: list-call; call history: list-call
how long: duration get fetch; length of: duration fetch; cost of: price fetch; hang up on: call
end the call: update-call; drop the call: update-call; transfer the call: update-call
redirect: update-call update; forward: update forward
forward calls: incoming-phone-number update-call; point to: update incoming-phone-number
hotline: incoming-phone-number phone-number; line: phone-number line
our line: incoming-phone-number; phone line: phone-number incoming-phone-number
belong to us: incoming-phone-number; we own: incoming-phone-number own
numbers we have: incoming-phone-number; new number: available-phone-number incoming-phone-number
mobile number: mobile phone-number; local number: local phone-number; cell: mobile
cancel the number: delete-incoming-phone-number; give up the number: delete-incoming-phone-number
release the number: delete-incoming-phone-number; texted: message; text message: message
sms messages: message; replied: message inbound; delivery status: fetch-message message
arrive: message status; arrived: message status; get through: message status; recordings: recording
recorded: recording; listen: recording; listen to: recording; playback: recording
audio: recording media; pause recording: update-recording; stop recording: update-recording
meeting: conference event; conferences: conference; dial in: create-participant participant
add to the call: create-participant participant
out of the conference: delete-participant participant; in the conference: participant conference
on the call: participant; waiting in the queue: queue member; callers waiting: queue-member queue
waiting line: queue; caller in line: queue-member; next caller: queue-member; credit left: balance
account balance: balance; left on the account: balance; prepaid: balance
separate account: create-account account; child account: account
suspend account: update-account account; close account: update-account account
spend limit: usage-trigger; usage alert: usage-trigger; over budget: usage-trigger budget
usage report: usage-record; costs: usage-record usage; charges: charge usage; this year: yearly
per day: daily; per month: monthly; all time: all-time; errors logged: notification log
error: notification error; debugger: notification; short code: short-code
verified number: outgoing-caller-id; emergency: address; ip address: ip-address
allow list: ip-access-control-list allow; cluster: kubernetes cluster; last month: last-month
this month: this-month; billing: billing subscription; withdraw: payout remove cancel; copy: fork
leave a: create; take out: remove delete; can i get: available; can we get: available
directly: direct-message conversation-open post-message; every push: webhook push
setup fee: invoice-item; set up fee: invoice-item; contested: dispute; fight: dispute
newest: latest; most recent: latest list; latest: latest list; newly: latest; anybody: user member
revoke access: remove-collaborator revoke remove; take away access: remove-collaborator
access to the repo: collaborator; assigned to me: issue assigned; my issues: list-issue assigned
troll: block user; spammer: block user; keep an eye on: subscription watch
keep me posted: subscription; function: code; method: code; used in the code: search-code
binary: release-asset asset upload; installer: release-asset asset
release file: release-asset asset; programming language: language; written in: language
how big: get size; hand to another: transfer; go back to: revert rollback
previous version: rollback revert; sha: commit ref; compile: workflow-run build
unit test: check-run workflow-run; job log: job-log; step: job step
start the workflow: workflow-dispatch; run the workflow: workflow-dispatch
workflow run: workflow-run; latest run: workflow-run; re execute: rerun
deploy again: rerun deployment; secret value: secret; encrypt: secret; api token: token key
access token: token access-token; licences: license seat; invitee: invitation
pending invite: invitation; new member: invite membership member; new hire: invite member
leaver: remove member; demote: update role membership; promote: update role membership
maintainer: role membership collaborator; reviewed: review; approved: review approve
abandon: close delete; merge conflict: conflict; squash merge: merge; rebase: merge update-branch
cherry pick: merge commit; annotate: comment annotation; mention me: notification
inbox zero: mark-notification-read; dismiss alert: update-alert dismiss
ignore: dismiss ignore subscription; security warning: dependabot-alert alert
security alerts: dependabot-alert code-scanning-alert alert; security issue: advisory alert
went through: payment-intent get; gone through: payment-intent get
go through: payment-intent get status; succeeded: status succeed
declined payment: payment-intent charge; declined: payment-intent charge decline
apply coupon: update-customer update-subscription discount
apply the discount: update-customer update-subscription discount; remove discount: delete-discount
take the discount off: delete-discount; bill the client: invoice; bill the customer: invoice
invoicing: invoice; send a reminder: send-invoice reminder; payment reminder: send-invoice
pay the invoice: pay-invoice; paid by cash: pay-invoice; paid outside: pay-invoice
draft invoice: invoice; delete draft: delete-invoice delete; payment history: charge payment-intent
last payments: charge payment-intent; recent payments: charge payment-intent
recent charges: charge; best customers: customer; customer list: customer
checkout link: checkout-session payment-link; offline: update deactivate presence
trial period: subscription; extend the trial: update-subscription
end of the period: subscription update; renewal: subscription
renew: subscription resume renew update; price change: subscription-schedule price
seats: subscription-item seat quantity; bank details: bank-account external-account
bank account: bank-account; microdeposit: verify-microdeposit verify
stripe fees: balance-transaction; fees: balance-transaction application-fee
ledger: balance-transaction; bookkeeping: balance-transaction report-run; accountant: report-run
payouts: payout; tax id: tax-id; company number: tax-id; shipping cost: shipping-rate
card payment: payment-intent charge; 3d secure: payment-intent
pending charge: capture payment-intent; release the hold: cancel-payment-intent
authorize: authorization payment-intent; customer portal: billing-portal-session
manage subscription: billing-portal-session subscription; lost card: issuing-card
stolen card: issuing-card; spending card: issuing-card; messages: message; read everything: mark
dms: conversation im; who reacted: reaction-get reaction; clear my status: profile-set status
out of office: profile-set status dnd; custom status: profile-set status
what channels: conversation-list; browse channels: conversation-list
members of the channel: conversation-member; people in the channel: conversation-member
channel members: conversation-member; what was said: conversation-history history
conversation history: conversation-history; chat history: conversation-history
read the channel: conversation-history; recent messages: conversation-history list-message
messages in: conversation-history list-message; under the message: conversation-reply reply
thread replies: conversation-reply reply; purpose of the channel: set-purpose
channel description: set-purpose; share a file: upload file; send a file: upload file
send the file: upload file; list files: file-list; disable the group: usergroup-disable
group of people: usergroup; pop up: view-open; dialog: dialog view
roll back the deployment: deployment patch; pause the deployment: patch-deployment
suspend the cron: patch-cron-job; pause the cron job: patch-cron-job
token for the service account: service-account-token; forward port: portforward
out of service: node; capacity: node quota; failing pods: pod event; pod status: pod-status
job status: job-status; new pod: create-pod; deployments: deployment
microservice: service deployment; container logs: log; log lines: log; tail: log; stream logs: log
ingress rule: ingress; external traffic: ingress service; internal address: service
stable address: service; replica set: replica-set; stateful set: stateful-set
daemon set: daemon-set; key value: config-map; redact: update-message delete
blank out: update-message; body of the message: message; call back: create-call call
make a call: create-call; place a call: create-call; call someone: create-call
give a ring: create-call; give a call: create-call; talk to: call; missed call: list-call call
incoming call: call inbound; outgoing call: call outbound
mute: update-participant mute participant; put through: update-call participant
dequeue: update-member member; text history: list-message; messages we sent: list-message
text someone: create-message; send a text: create-message; send an sms: create-message
delivery report: fetch-message; undelivered: list-message message; free of charge: toll-free
digits: available-phone-number; number to buy: available-phone-number
numbers for sale: available-phone-number; available numbers: available-phone-number
get a number: incoming-phone-number available-phone-number
cancel a number: delete-incoming-phone-number; voice recording: recording
call recording: call-recording recording; speech to text: transcription; in writing: transcription
daily usage: usage-record-daily; usage today: usage-record-today; used so far: usage-record
calling costs: usage-record; threshold: usage-trigger trigger threshold
notify me when: usage-trigger trigger; alert me when: usage-trigger trigger
close the subaccount: update-account; rename the account: update-account
following: follow following; 0800: toll-free; on the plan: subscription; alone: dnd snooze
unavailable: dnd presence; busy: dnd presence; chat with: conversation-open message
start a chat: conversation-open; card terminal: terminal-reader; final: finalize
cart: checkout-session; finished: status complete; everywhere: all; across all: all
mails about: subscription notification; emails about: subscription notification
stop emailing: delete-subscription subscription; point at: update; play back: recording
callers in the queue: queue-member member; caller in the queue: queue-member member
bought: charge payment checkout-session incoming-phone-number; rotate: rotate update
reset: reset update; recipient: customer user message; sender: from message; sidecar: container pod
ivr: application; robocall: call; donation: payment-link checkout-session payment
donate: payment-link payment; installment: subscription-schedule invoice
instalment: subscription-schedule invoice; deposit: payment-intent topup
failed payment: payment-intent charge; failed payments: payment-intent charge
expired card: payment-method card; payment form: checkout-session payment-link
order form: checkout-session payment-link; direct debit: mandate payment-method
sepa: mandate payment-method; announcement: post-message message; huddle: call
roadmap: project milestone; story: issue; regression: issue; feature idea: issue; suggestion: issue
feature branch: branch ref; hotfix: branch ref; monorepo: repo repository
open source: repo repository; newcomer: member invite; hire: invite member; colleagues: member user
folks: member user; buddy: user; team mate: member user; applaud: reaction
celebrate: reaction message; memo: message note; letter: message email; heading: title name
caption: title name; misspelled: update; mistake: update; obsolete: delete; unused: delete
unneeded: delete; useless: delete; tidy up: delete; close the ticket: update-issue issue
mark as done: update close complete; cross off: complete; tick off: complete
complete the reminder: reminder-complete; on its way: status; progress: status get
how far: status get; still running: status get fetch; up and running: status
history of: history list; log of: log history; total: count summary balance; sum: balance summary
average: stats summary; ranking: list; overview: list summary; summary: summary list
inventory: list; catalog of: list; all of our: list; full list: list; who owns: owner member
who has access: collaborator permission member; who can see: collaborator permission member
who is responsible: assignee owner; who pays: customer subscription; who called: call
who texted: message; who is talking: participant; who joined: member participant; who left: member
who is online: presence; who liked: reaction stargazer; share with: invite collaborator share
open to everyone: public visibility; lock down: protection restrict network-policy
restrict: restriction protection network-policy; shield: protection; prevent: protection block
forbid: protection block; disallow: protection block; let through: allow; permit: allow grant
entitle: grant role; give rights: role-binding collaborator permission
take rights: remove-collaborator role-binding; authenticate: auth token; prolong: extend update
lengthen: extend update; delay: schedule update; bring forward: schedule update
double: update scale; halve: update scale; triple: update scale
more memory: patch-deployment limit; increase: update scale; decrease: update scale
reduce: update scale; spin up: create; set up: create; put together: create; come up with: create
draw up: create; bring up: create; stand up: create; hook up: webhook connect
wire up: webhook connect; plug in: connect; integrate with: webhook connect; fill in: update
write down: create note; jot down: create note; note down: create note; put down: create
take note: create note; keep a record: create; report: report issue; complain: issue
flag: label flag issue; highlight: pin star; single out: label; categorise: label
categorize: label; half price: coupon promotion-code; change the name: rename update
new name: rename update; privately: conversation-open direct-message ephemeral
in the queue: member queue; bank card: card payment-method
into the conference: create-participant participant; into the call: create-participant participant
add a line: line-item invoice-item; put in touch: message conversation-open
by themselves: autoscaler billing-portal-session; reserved: capture authorization
produced: artifact; build files: artifact; stop the build: cancel-workflow-run
cancel the build: cancel-workflow-run; stop the run: cancel-workflow-run
cancel the run: cancel-workflow-run; kill the run: cancel-workflow-run
kill the build: cancel-workflow-run; abort the run: cancel-workflow-run
require approval: review-protection branch-protection
require review: review-protection branch-protection; push to main: branch-protection
push directly: branch-protection; own copy: create-fork fork; copy the repo: create-fork fork
copy the repository: create-fork fork; copy the project: create-fork fork
contain: associated contain; contains: associated contain; file a bug: create-issue issue
file a ticket: create-issue issue; log a bug: create-issue issue; log a ticket: create-issue issue
report a bug: create-issue issue; report a problem: create-issue issue
raise a ticket: create-issue issue; open a ticket: create-issue issue
open an issue: create-issue issue; clear notifications: mark-notification-read
clear inbox: mark-notification-read; clear the inbox: mark-notification-read; lock: lock
stop comments: lock; ask: request ask; ask for: request claim; to the team: team-membership team
on the team: team-membership team; from the team: remove-membership team-membership
to the organization: organization-invitation membership
from the organization: remove-member organization-member
out of the organization: remove-member organization-member; workflow: workflow action
world: public visibility; public: public visibility; private: private visibility
by herself: billing-portal-session; by himself: billing-portal-session
on their own: billing-portal-session; manage cards: billing-portal-session
manage plan: billing-portal-session; manage billing: billing-portal-session
hosted page: checkout-session billing-portal-session payment-link; cancel: cancel void
cancel the invoice: void-invoice; annul: void cancel; never pay: uncollectible
wont pay: uncollectible; to bank account: payout; on bank account: payout
to the bank account: payout; to the seller: transfer; to the connected account: transfer
to the merchant: transfer; to the vendor: transfer; pay the seller: transfer
default: default update; stop billing: delete-subscription subscription
end subscription: delete-subscription; stop subscription: delete-subscription
cancel subscription: delete-subscription; cancel the subscription: delete-subscription
cancel membership: delete-subscription; from the channel: kick conversation
out of the channel: kick leave conversation; to the channel: conversation-invite conversation
only visible: ephemeral; nobody else: ephemeral; only see: ephemeral; just for: ephemeral
channel is about: topic purpose; channel is for: purpose topic; save later: star
for later: star schedule; token valid: auth-test; token working: auth-test; token works: auth-test
token still: auth-test; form: view dialog form; log in: access-log; logged in: access-log
signed in: access-log; at his desk: presence; at her desk: presence; at their desk: presence
at work: presence; people say: conversation-history; everyone say: conversation-history
off the group: usergroup-user; from the group: usergroup-user; to the group: usergroup-user
of the group: usergroup-user; works here: user member; work here: user member
with load: autoscaler; under load: autoscaler; depending on: autoscaler; by load: autoscaler
scale automatically: autoscaler; grow and shrink: autoscaler; up and down: autoscaler scale
at least: pod-disruption-budget minimum; away from: node block; stable ip: service
from the internet: ingress; from outside: ingress; to the internet: ingress; from the web: ingress
inside the cluster: service; within the cluster: service; to a service: ingress
roll image: patch-deployment deployment; roll deployment: patch-deployment deployment
roll out image: patch-deployment deployment; new version of the app: deployment; yaml: read
manifest: read; allowed to do: role-binding role; let account: role-binding role
let deploy: role-binding role; service account read: role-binding role; stable names: stateful-set
stable name: stateful-set; own disk: stateful-set; run once: job; unhealthy: status event
text number: create-message; message number: create-message; call number: create-call
ring number: create-call; can i buy: available-phone-number available
can we buy: available-phone-number available; for sale: available
point number: update-incoming-phone-number; support number: incoming-phone-number
main number: incoming-phone-number; to our number: incoming-phone-number
on our number: incoming-phone-number; number to: incoming-phone-number phone-number
bring conference: create-participant participant; add conference: create-participant participant
into conference: create-participant participant; verify phone: validation-request
verify mobile: validation-request; get verified: validation-request
verified: validation verification verify; photos: media image file; pictures: media image file
money left: balance; reach: service ingress message; give back number: delete-incoming-phone-number
give back the number: delete-incoming-phone-number; release number: delete-incoming-phone-number
saved card: payment-method card; saved cards: payment-method card; save: save store
waiting: queue-member queue waiting; waiting in line: queue-member
connection: network-policy connection; connections: network-policy connection
block traffic: network-policy; block connections: network-policy; deny traffic: network-policy
allow traffic: network-policy; talk to each other: network-policy
rollback: rollback patch-deployment; roll back the app: patch-deployment; shut: close archive
should be called: rename; be called: rename; description of the channel: set-purpose
add valuechannel: conversation-invite; invite valuechannel: conversation-invite
bring valuechannel: conversation-invite; remove valuechannel: conversation-kick
kick valuechannel: conversation-kick; send valuechannel: post-message schedule-message
post valuechannel: post-message; tell valuechannel: post-message
in valuechannel: conversation channel; who is in valuechannel: conversation-member
join valuechannel: conversation-join; leave valuechannel: conversation-leave
archive valuechannel: conversation-archive; rename valuechannel: conversation-rename
as a report: report-run; tell the server: webhook-endpoint webhook
notify the server: webhook-endpoint webhook; call our server: webhook; to our server: webhook
our backend: webhook; our endpoint: webhook; know about: info; about the user: user-info user
information about: info get; an owner: membership role; an admin: membership role
as an admin: membership role; as a member: membership invite; was written: history message
credit on the invoice: credit-note; credit on an invoice: credit-note
correct the invoice: credit-note update-invoice; usage alarm: usage-trigger; alarm: trigger alert
people into: participant invite; call into the conference: create-participant
dial into: create-participant; join the conference: create-participant participant
leave the conference: delete-participant participant; kick from conference: delete-participant
remove from the conference: delete-participant; talking to: participant call; merge without: merge
without merging: update-pull; close the pull request: update-pull; close the pr: update-pull
reopen the pull request: update-pull; reopen the issue: update-issue; close the issue: update-issue
close the bug: update-issue; rename the repo: update-repo; archive the repo: update-repo
archive repository: update-repo; delete the branch: delete-ref; remove the branch: delete-ref
create a branch: create-ref; make a branch: create-ref; start a branch: create-ref
add a tag: create-ref create-tag; approve the pull request: create-review
approve the pr: create-review; reject the pull request: create-review; reject the pr: create-review
comment on the pull request: create-comment create-review-comment
reply to the review: create-reply-review-comment; assign the issue: add-assignee assignee
unassign the issue: remove-assignee; label the issue: add-label label
tag the issue: add-label label; add a label: add-label; remove the label: remove-label
commit the file: create-update-file-content; change the file: create-update-file-content
edit the file: create-update-file-content; write a file: create-update-file-content
file into the repo: create-update-file-content; contents of the file: get-content content
read the file: get-content content; show the file: get-content content; readme: readme content
protect the branch: branch-protection; unprotect: delete-branch-protection
watch the repo: set-repo-subscription subscription
watch the repository: set-repo-subscription subscription; star the repo: star-repo star
trigger the workflow: workflow-dispatch; start the pipeline: workflow-dispatch
trigger the build: workflow-dispatch; run the pipeline: workflow-dispatch
rerun the build: re-run-workflow rerun; rerun the pipeline: re-run-workflow rerun
build again: re-run-workflow rerun; jobs of the run: list-job-workflow-run
build status: workflow-run check-run; failed builds: workflow-run
build log: download-workflow-run-log log; build logs: download-workflow-run-log log
who committed: commit contributor; my repos: repo-authenticated-user
my repositories: repo-authenticated-user; our repos: org-repo repo; our repositories: repo org
repositories of the organization: repo-org; transfer the repo: transfer; move the repo: transfer
change the visibility: update-repo; new organization member: invitation membership
pull request reviewers: requested-reviewer; who has to review: requested-reviewer
emails: email message; refund the customer: refund; refund the order: refund
refund the buyer: refund; charge the customer: payment-intent charge
charge the saved card: payment-intent charge; take a payment: payment-intent checkout-session
accept a payment: payment-intent checkout-session; accept the dispute: close-dispute
concede: close-dispute; give up the dispute: close-dispute; lose the dispute: close-dispute
respond to the dispute: update-dispute dispute; submit evidence: update-dispute dispute
add evidence: update-dispute dispute; upload evidence: update-dispute file
bill the customer for: invoice invoice-item; add to the bill: invoice-item
add to invoice: invoice-item; on the bill: invoice-item
on the next invoice: invoice-item upcoming-invoice; send the invoice: send-invoice
email the invoice: send-invoice; mail the invoice: send-invoice
finalize the invoice: finalize-invoice; lock the invoice: finalize-invoice
void the invoice: void-invoice; mark the invoice as paid: pay-invoice; pay next: upcoming-invoice
will pay: upcoming-invoice; will be charged: upcoming-invoice; will be billed: upcoming-invoice
pause the subscription: update-subscription subscription
pause billing: update-subscription subscription; pause payments: update-subscription subscription
resume the subscription: resume-subscription subscription
reactivate the subscription: resume-subscription subscription
start a subscription: create-subscription subscription; subscribe: subscription
subscribe the customer: subscription; change the plan: update-subscription
change the subscription: update-subscription; upgrade the plan: update-subscription
upgrade the customer: update-subscription; move plan: update-subscription
switch the customer: update-subscription; start later: subscription-schedule
begin later: subscription-schedule; future subscription: subscription-schedule
disable the coupon: delete-coupon; disable the code: update-promotion-code
turn off the code: update-promotion-code; deactivate the code: update-promotion-code
deactivate the product: update-product; hide the product: update-product; change the price: price
new price: create-price price; raise the price: price; price of the product: price
customer's email: update-customer customer; customer's address: update-customer customer
change the address: update-customer address; change the email: update-customer email
change the name of the customer: update-customer
give credit: customer-balance-transaction credit-note; store credit: customer-balance-transaction
credit the customer: customer-balance-transaction; attach the card: attach-payment-method
add a card: attach-payment-method setup-intent card; detach the card: detach-payment-method
remove the card: detach-payment-method card; delete the card: detach-payment-method card
payment failed: payment-intent charge; payments failed: payment-intent charge
successful payments: payment-intent charge; payment status: payment-intent; customers who: customer
pay out: payout; payout now: payout; withdraw money: payout; withdraw the money: payout
transfer money: transfer payout; stop the webhook: delete-webhook-endpoint delete-webhook
disable the webhook: update-webhook-endpoint update-webhook
open a channel: create-conversation conversation; start a channel: create-conversation conversation
make a channel: create-conversation conversation
set up a channel: create-conversation conversation; close the channel: archive-conversation
delete the channel: archive-conversation conversation-delete
reopen the channel: unarchive-conversation; restore the channel: unarchive-conversation
about the channel: conversation-info; details of the channel: conversation-info
channel details: conversation-info; list channels: conversation-list
my messages: search-message message; edit the message: chat-update update-message
change the message: chat-update update-message; delete the message: chat-delete delete-message
remove the message: chat-delete delete-message; take back the message: chat-delete
pin the message: pin-add; pinned messages: pin-list; answer in the thread: post-message
reply in the thread: post-message; respond in the thread: post-message; react with: reaction-add
react to: reaction-add; add a reaction: reaction-add; add an emoji: reaction-add
remove the reaction: reaction-remove; take away the emoji: reaction-remove
remove the emoji: reaction-remove; upload the file: file-upload upload
delete the file: file-delete delete-file; set the topic: set-topic; change the topic: set-topic
set my status: profile-set; change my status: profile-set; my status: profile-set profile
everyone in the workspace: user-list; members of the workspace: user-list
people in the workspace: user-list; list users: user-list; list all users: user-list
user by email: lookup-email; person by email: lookup-email; who has the email: lookup-email
by email: lookup-email search email; mark as complete: complete; message link: permalink
link to the message: permalink; schedule a message: schedule-message; send later: schedule-message
send tomorrow: schedule-message; post tomorrow: schedule-message; post later: schedule-message
scheduled messages: scheduled-message-list; cancel the scheduled message: delete-scheduled-message
cancel the reminder: reminder-delete; remove the reminder: reminder-delete
end do not disturb: dnd-end; turn off do not disturb: dnd-end; message privately: conversation-open
write privately: conversation-open; people to the group: usergroup-user-update
to the user group: usergroup-user-update; in the user group: usergroup-user-list
in the group: usergroup-user-list; revoke the token: auth-revoke revoke token
logs of the pod: pod-log; pod logs: pod-log; container output: pod-log
deploy the app: create-deployment deployment; deploy the service: create-deployment deployment
update the deployment: patch-deployment; change the image: patch-deployment
update the image: patch-deployment; new release of the app: patch-deployment
restart the deployment: patch-deployment; restart the app: patch-deployment
restart the pod: delete-pod; restart the pods: delete-pod patch-deployment
kill the pod: delete-pod; get rid of the pod: delete-pod; scale the deployment: deployment-scale
scale to zero: scale; more replicas: deployment-scale scale; fewer replicas: deployment-scale scale
replicas of the: scale; number of replicas: scale; more copies: deployment-scale scale
copies of the: deployment-scale scale; drain the node: pod-eviction eviction
cordon the node: patch-node; mark the node: patch-node; list nodes: list-node
cluster nodes: list-node; servers in the cluster: list-node node
machines in the cluster: list-node node; node status: node-status; expose the app: service
expose the deployment: service; expose the service: ingress service; internal service: service
open to the internet: ingress; from the outside: ingress; reachable from: ingress
under the domain: ingress; persistent storage: persistent-volume-claim
persistent disk: persistent-volume-claim; disk space: persistent-volume-claim persistent-volume
request storage: persistent-volume-claim; more storage: persistent-volume-claim
environment settings: config-map; app configuration: config-map; configuration file: config-map
configuration of the app: config-map; store the password: create-secret secret
save the password: create-secret secret; store the key: create-secret secret
save the credentials: create-secret secret; store credentials: create-secret secret
change the password: patch-secret secret; run every: cron-job; every five minutes: cron-job
every ten minutes: cron-job; on a schedule: cron-job schedule; scheduled jobs: cron-job
nightly job: cron-job; run a job: create-job job; start a job: create-job job; run a script: job
run the migration: job; on all nodes: daemon-set; on all machines: daemon-set
on every machine: daemon-set; on each machine: daemon-set; rights: role-binding role permission
grant rights: role-binding permission; who can do: role-binding role
read only rights: cluster-role role-binding; whole cluster: cluster-role cluster
may use: resource-quota limit-range; can use: resource-quota limit-range
use by default: limit-range; default limits: limit-range; custom type: custom-resource-definition
resource type: custom-resource-definition; own resource: custom-resource-definition
which version: version; send an sms to: create-message; send a message: post-message create-message
send a whatsapp: create-message; send a picture: create-message media
message status: fetch-message; was delivered: fetch-message message
been delivered: fetch-message message; has not gone out: update-message
not been sent: update-message; cancel the message: update-message; cancel the text: update-message
messages from: list-message; texts from: list-message; messages to: list-message
received texts: list-message; stop the call: update-call; finish the call: update-call
cancel the call: update-call; terminate the call: update-call; forward the call: update-call
redirect the call: update-call; call details: fetch-call; length of the call: fetch-call
duration of the call: fetch-call; how long did the call: fetch-call; list calls: list-call
recent calls: list-call; calls today: list-call; calls yesterday: list-call; calls did: list-call
record the call: create-call-recording; recordings of the call: list-call-recording
recording of the call: call-recording; stop the recording: update-call-recording
pause the recording: update-call-recording; resume the recording: update-call-recording
delete the recording: delete-recording; listen to the recording: fetch-recording recording
buy a number: create-incoming-phone-number; get a new number: create-incoming-phone-number
order a number: create-incoming-phone-number; purchase a number: create-incoming-phone-number
search for numbers: available-phone-number; find a number: available-phone-number
find numbers: available-phone-number; which numbers: incoming-phone-number available-phone-number
our numbers: list-incoming-phone-number; change the number: update-incoming-phone-number
rename the number: update-incoming-phone-number; configure the number: update-incoming-phone-number
delete the number: delete-incoming-phone-number; drop the number: delete-incoming-phone-number
incoming calls: incoming-phone-number call; incoming messages: incoming-phone-number message
running conferences: list-conference; active conferences: list-conference
end the conference: update-conference; close the conference: update-conference
participants: list-participant participant; hold the caller: update-participant
kick out of the conference: delete-participant; create a queue: create-queue
size of the queue: fetch-queue; people waiting: list-member queue-member; in line: queue-member
next in line: update-member queue-member; sub accounts: account
suspend the account: update-account; close the account: update-account
reactivate the account: update-account; deactivate the account: update-account
new account: create-account account; usage this month: usage-record-this-month
usage yesterday: usage-record-yesterday; spend per day: usage-record-daily
cost per month: usage-record-monthly; spend today: usage-record-today
price of the call: fetch-call; price of the message: fetch-message; api keys: key
new api key: create-key key; call errors: call-notification notification
errors: notification error; messages of: conversation-history list-message
messages of the channel: conversation-history; last messages: conversation-history list-message
latest messages: conversation-history list-message; person into: participant invite
into the running conference: create-participant; into a conference: create-participant
at most: quota limit; no more than: quota limit; own identity: service-account
out of rotation: patch-node; stop the workflow: disable-workflow cancel-workflow-run
turn off the workflow: disable-workflow; group message: conversation-open mpim
first in line: queue-member; connect the caller: update-call; connect the call: update-call
put through to: update-call; write in the issue: create-comment; write on the issue: create-comment
write under: create-comment; in the issue: comment; under the issue: comment
on the ticket: comment; give the bug: add-assignee assignee; give the issue: add-assignee assignee
give the ticket: add-assignee assignee; hand the issue: add-assignee assignee
take the issue: add-assignee assignee; commits on: list-commit; commits of: list-commit
commits in: list-commit; how many stars: stargazer get-repo; stars: stargazer star
can pay out: balance; available to pay: balance; off the bill: credit-note invoice-item
off the invoice: credit-note; off the price: coupon; euros off: coupon credit-note
dollars off: coupon credit-note; whole company: post-message; everyone know: post-message
job finished: job-status job; job succeed: job-status job; job done: job-status job
succeed: status succeed; backup: cron-job job backup
join conference: create-participant participant; access to the namespace: role-binding
access to the cluster: cluster-role-binding; all namespaces: cluster-role for-all-namespace
spend more than: usage-trigger; costs more than: usage-trigger; uploaded: upload file-list
files that: file-list; which files: file-list list-file; tell only: post-ephemeral
only to: ephemeral; put hold: update-participant; available phone numbers: available-phone-number
team access: team-permission team; team write access: team-permission
said on: list-comment comment; said about: list-comment comment; said under: list-comment comment
told about: subscription notification; tell me about everything: subscription
want to hear about: subscription; hear about: subscription notification
told when: webhook subscription; needs replicas: deployment-scale scale
many replicas: deployment-scale scale; rotate the password: patch-secret secret
rotate the key: secret key; rotate the secret: patch-secret secret
change the secret: patch-secret secret; next person in: queue-member; next caller in: queue-member
would pay: upcoming-invoice; would cost: upcoming-invoice
on our block list: value-list-item value-list; on the block list: value-list-item value-list
direct messages: conversation im; the right to: role-binding role
payments of: payment-intent charge; payments by: payment-intent charge
all payments: payment-intent charge; pod crash: list-pod pod; new secret: create-secret secret
needs a secret: create-secret secret; out of the team: remove-membership team-membership
out of the group: usergroup-user; take access: remove-collaborator
remove access: remove-collaborator revoke; withdraw access: remove-collaborator revoke
pay for the plan: subscription; paying for: subscription; are on the plan: subscription
have the plan: subscription; talk to the pod: network-policy; talk to the database: network-policy
communicate: network-policy message; allow only: network-policy restriction
replicas to: deployment-scale scale; to zero: scale; unusable: delete deactivate
invalid: delete void; variable to the deployment: patch-deployment; of the deployment: deployment
to the deployment: patch-deployment; deployment to: patch-deployment deployment
rollout finished: deployment-status; is the rollout: deployment-status
is the deployment: deployment-status; status of the deployment: deployment-status
status of the pod: pod-status; status of the job: job-status; status of the payment: payment-intent
status of the message: fetch-message; status of the call: fetch-call
status of the run: get-workflow-run; unbound: persistent-volume
`
