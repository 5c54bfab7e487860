// table
/** How people ask for Slack's operations, one operation a line. */
export const SLACK_PHRASES = `
admin_conversations_search: search every channel of the organization; find channels across all workspaces
admin_conversations_convertToPrivate: make a public channel private; turn the channel into a private one; hide the channel from outsiders
admin_conversations_delete: delete a channel for good; permanently remove the channel with its history
admin_conversations_setTeams: share the channel with other workspaces; connect the channel to another workspace
admin_emoji_add: upload a custom emoji; add a new emoji to the workspace; make our logo an emoji
admin_emoji_remove: delete a custom emoji; get rid of that emoji
admin_emoji_rename: rename an emoji; give the emoji another name
admin_emoji_addAlias: add another name for an emoji; emoji alias
admin_inviteRequests_approve: approve a request to join; let the person who asked for an invitation in
admin_inviteRequests_deny: turn down a request to invite someone; reject the invitation request
admin_inviteRequests_list: pending invitation requests; who is waiting to be let into the workspace
admin_apps_approve: approve an app for the workspace; allow installing this app
admin_apps_restrict: forbid an app; block people from installing this app
admin_apps_requests_list: which apps did people ask to install; pending app requests
admin_teams_create: create a new workspace; set up another workspace in the enterprise
admin_teams_list: list all workspaces of the enterprise; which workspaces do we have
admin_teams_admins_list: who are the admins of the workspace; list administrators
admin_teams_owners_list: who owns the workspace; list workspace owners
admin_teams_settings_setName: rename the workspace; change the workspace's name
admin_teams_settings_setIcon: change the workspace icon; upload a new workspace logo
admin_teams_settings_setDescription: change the description of the workspace
admin_teams_settings_setDefaultChannels: which channels new members join automatically; set the default channels of the workspace
admin_users_invite: invite a person to the workspace by email; send someone an invitation to join our Slack; onboard a new colleague to the workspace; add a guest to the workspace
admin_users_remove: remove a person from the workspace; deactivate someone who left the company; offboard an employee; take away a leaver's Slack account
admin_users_list: list every member of a workspace with their account type; which accounts are guests
admin_users_session_reset: log a user out on all devices; sign someone out everywhere; kill all sessions of a person; lost phone, end the sessions
admin_users_session_invalidate: end one session of a user; log out a single device
admin_users_setAdmin: make someone an admin; promote a member to workspace admin; give admin rights
admin_users_setOwner: make someone an owner of the workspace; promote to workspace owner
admin_users_setRegular: demote an admin to a regular member; turn a guest into a full member; take away admin rights
admin_users_setExpiration: when a guest account expires; let the guest's access end on a date
admin_usergroups_addChannels: default channels of a user group; add channels to a user group
apps_uninstall: uninstall an app; remove our app from the workspace
auth_revoke: revoke a token; disable this access token; invalidate the bot's token
auth_test: check whether the token works; who am I logged in as; test my credentials; which workspace does this token belong to
bots_info: look up a bot; information about a bot user; which app is this bot
calls_add: register a new call; start a call in Slack; tell Slack about a video call
calls_end: end a call; hang up the call; finish the video call
calls_info: information about a call; details of a call in Slack
calls_participants_add: add participants to a call; someone joined the call
calls_participants_remove: remove participants from a call; someone left the call
calls_update: change the title or join link of a call
chat_delete: delete a message; remove what I posted; take down a message; retract a message; unsend a message
chat_deleteScheduledMessage: cancel a scheduled message; don't send the message planned for tomorrow; remove a message that waits to be sent
chat_getPermalink: link to a message; get a permalink; URL of a post; copy link to message
chat_meMessage: post a me message; say what I am doing in the third person
chat_postEphemeral: message only one person in the channel can see; send a private note visible only to him in a channel; hidden message; only visible to you
chat_postMessage: send a message; post in a channel; tell the team; let everyone know; write to someone; announce something; send a direct message; DM a person; reply in a thread; answer in the thread; notify the channel; drop a line to a channel; say hello in general
chat_scheduleMessage: send a message later; schedule a message; post tomorrow morning at nine; send this on Monday; delay a message; queue an announcement for later
chat_scheduledMessages_list: which messages are scheduled; what is queued to be sent; list planned posts
chat_unfurl: show a preview for a link; unfurl a URL; expand link previews
chat_update: edit a message; fix a typo in my post; change the text of a message I sent; correct a post
conversations_archive: archive a channel; close down a channel we no longer need; retire a channel; shut a channel
conversations_close: close a direct message; hide a DM from my sidebar; close the conversation with a person
conversations_create: create a channel; make a new channel; open a private channel; set up a room for the project; start a channel
conversations_history: read the messages of a channel; what was said in the channel; show latest posts; catch me up on a channel; what did people write today; last message in general; messages since yesterday
conversations_info: information about a channel; details of a channel; what is the topic of the channel; when was the channel created; is the channel private; what is the channel about
conversations_invite: invite people to a channel; add someone to the channel; bring a colleague into the room; let Anna into the channel
conversations_join: join a channel; enter the channel; put the bot in a public channel
conversations_kick: remove someone from a channel; kick a user out of the channel; throw a person out of the room
conversations_leave: leave a channel; get me out of the channel; exit the channel; stop being in this channel
conversations_list: list channels; which channels exist; show all public channels; what rooms do we have; find a channel by name; what direct messages do I have
conversations_mark: mark a channel as read; move the read cursor; I have read everything in the channel; clear unread messages
conversations_members: who is in the channel; list the members of a channel; people in this room; how many people are in the channel
conversations_open: open a direct message; start a DM with someone; start a group conversation with several people; private chat with two people
conversations_rename: rename a channel; change the name of the channel; call the channel something else
conversations_replies: replies in a thread; read a thread; what did people answer to the message; show the whole thread; responses to my post
conversations_setPurpose: set the purpose of a channel; describe what the channel is for; change the channel description
conversations_setTopic: set the topic of a channel; change the header of the channel; put the goal in the channel topic
conversations_unarchive: unarchive a channel; bring back an archived channel; reopen a closed channel; restore a channel
dialog_open: open a dialog; show a form in a dialog
dnd_endDnd: end my do not disturb session; turn off do not disturb
dnd_endSnooze: end snooze; turn my notifications back on; unmute notifications; I can be disturbed again; resume notifications
dnd_info: is she on do not disturb; until when are his notifications paused; can I disturb him now; quiet hours of a person
dnd_setSnooze: snooze notifications for an hour; do not disturb me; mute notifications for thirty minutes; silence Slack while I am in a meeting; pause my notifications
dnd_teamInfo: who in the team is on do not disturb; do not disturb status of several people
emoji_list: list custom emoji; which emojis do we have; show the emoji of the workspace
files_comments_delete: delete a comment on a file
files_delete: delete a file; remove an upload; take down the document I shared
files_info: details of a file; who uploaded this file; information about an upload
files_list: list files; which files were shared in the channel; all PDFs uploaded this week; documents someone uploaded; show images posted
files_remote_add: add a remote file; register a Google Drive document; add an external file
files_remote_share: share a remote file in a channel
files_revokePublicURL: stop sharing a file publicly; revoke the public link of a file; make the file private again
files_sharedPublicURL: create a public link for a file; share a file outside of Slack; make a file public
files_upload: upload a file; share a document in the channel; attach a PDF; send a screenshot; post an image; put the spreadsheet in the channel
pins_add: pin a message; keep a post at the top of the channel; pin this to the channel
pins_list: what is pinned in the channel; show pinned messages; list pins
pins_remove: unpin a message; take the pin off; remove a pinned item
reactions_add: react with an emoji; add a thumbs up; give a heart to the message; put a checkmark on a post; like a message
reactions_get: who reacted to this message; reactions on a message; how many thumbs up did it get
reactions_list: what have I reacted to; list all reactions of a user
reactions_remove: remove my reaction; take back my thumbs up; undo the emoji
reminders_add: remind me; set a reminder; create a reminder for tomorrow; don't let me forget; nudge me at five
reminders_complete: mark a reminder as done; complete the reminder; tick off a reminder
reminders_delete: delete a reminder; cancel the reminder; I don't need to be reminded any more
reminders_info: details of a reminder; when will I be reminded of this
reminders_list: list my reminders; what do I have to remember; which reminders are set
rtm_connect: start a real time session; open a websocket connection
search_messages: search messages; find the post about; where did someone mention; look for what was said about the budget; find messages containing a word
stars_add: star a message; save a message for later; bookmark an item; save this file for later
stars_list: my starred items; what have I saved for later; list saved messages; bookmarks
stars_remove: unstar a message; remove from saved items; unsave
team_accessLogs: who logged in; access log of the workspace; logins from which IP addresses; when did someone last sign in
team_billableInfo: who do we pay for; which members are billable; billing status of users
team_info: information about the workspace; name of our workspace; what is the domain of our Slack; which plan are we on
team_integrationLogs: integration activity; who installed or changed an app; log of integrations
team_profile_get: which profile fields does the workspace have; custom profile fields
usergroups_create: create a user group; make a mention group for the designers; new handle for a team
usergroups_disable: disable a user group; turn off the group; retire a mention group
usergroups_enable: enable a user group again; reactivate the group
usergroups_list: list user groups; which mention groups exist; what groups do we have
usergroups_update: rename a user group; change the handle of a group
usergroups_users_list: who is in the user group; members of a mention group; who gets pinged by the handle
usergroups_users_update: change the members of a user group; add someone to the on-call group; replace who is in the group; take a person out of the mention group
users_conversations: which channels am I in; channels a person belongs to; list the conversations of a user; what channels has he joined
users_deletePhoto: delete my profile picture; remove my avatar
users_getPresence: is she online; who is active right now; is he away; presence of a user; is anybody there
users_identity: identity of the logged-in user
users_info: look up a user; details about a person; what is her time zone; who is this user id; real name of a member
users_list: list all people in the workspace; everyone in the company; all members; who works here; how many users do we have; directory of colleagues
users_lookupByEmail: find a user by email address; who has this email; look up a person by mail
users_profile_get: show someone's profile; phone number and title of a colleague; what is his status; status message of a person; job title
users_profile_set: set my status; change my status to on vacation; update my profile; out of office status; change my display name; change my job title; status emoji
users_setActive: mark me as active
users_setPhoto: change my profile picture; upload a new avatar; set my photo
users_setPresence: set me away; appear offline; show me as active; change my presence
views_open: open a modal; show a pop-up form to a user
views_publish: publish the app's home tab; update App Home
views_push: push a second view on a modal
views_update: update a modal; change the open view
`
