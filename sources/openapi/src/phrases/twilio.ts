// table
/** How people ask for Twilio's operations, one operation a line. */
export const TWILIO_PHRASES = `
CreateAccount: create a subaccount; open a separate account for a client; new Twilio subaccount
UpdateAccount: suspend a subaccount; close an account; rename the account; reactivate a suspended subaccount; freeze a client's account
FetchAccount: details of an account; is the account active or suspended; what is my account status
ListAccount: list subaccounts; which accounts do we have; all client accounts
FetchBalance: how much money is left; account balance; remaining credit; how much credit do I have; do we need to top up
CreateCall: make a phone call; call a number; ring someone; dial the customer; place an outbound call; phone a person and read a text; give her a call
UpdateCall: hang up a call; end a running call; redirect a live call; transfer the call to someone else; stop the phone call; drop the call; forward the caller to another number
FetchCall: details of a call; how long did the call last; was the call answered; status of a phone call; what did this call cost; did he pick up
ListCall: list calls; who called us today; recent phone calls; missed calls; call history; how many calls did we make; calls from a number; unanswered calls
DeleteCall: delete a call record; remove a call from the history; erase the log of a call
ListCallEvent: events of a call; what requests were made during the call
ListCallNotification: errors of a call; warnings logged for a call; why did the call fail
ListCallRecording: recordings of a call; was the call recorded; tapes of a phone call
CreateCallRecording: record a call; start recording the running call; tape the conversation
UpdateCallRecording: pause a recording; resume recording; stop recording the call; don't record the card number
DeleteCallRecording: delete the recording of a call
FetchCallRecording: the recording of a call
ListRecording: list recordings; all recorded calls; tapes of last week; voice recordings
FetchRecording: get a recording; listen to a recording; how long is the recording; download a call recording
DeleteRecording: delete a recording; erase the audio; remove a tape for privacy
ListConferenceRecording: recordings of a conference; tape of the conference call
UpdateConferenceRecording: pause or stop recording a conference
DeleteConferenceRecording: delete the recording of a conference
ListTranscription: list transcriptions; all transcripts; calls turned into text
FetchTranscription: text of a recording; read the transcript; what was said in the voicemail
DeleteTranscription: delete a transcription; erase a transcript
ListRecordingTranscription: transcripts of a recording; written version of a recording
FetchRecordingTranscription: transcript of a recording; what does the recording say
CreateMessage: send a text message; send an SMS; text someone; send a WhatsApp message; send a picture by MMS; message a customer's phone; schedule a text; shoot him a text; send a code to a mobile
ListMessage: list text messages; who texted us; SMS history; messages sent today; incoming texts; texts that failed to deliver; messages from a number; replies we received
FetchMessage: was the text delivered; status of an SMS; did my message arrive; what did the message say; price of a message; details of a text
UpdateMessage: redact the body of a message; cancel a scheduled text; blank out the text of a message; don't send the planned SMS
DeleteMessage: delete a text message; erase an SMS from the log; remove a message for privacy
CreateMessageFeedback: report that a message was received; confirm the outcome of a message; message feedback
ListMedia: pictures attached to a message; which images came with the MMS; attachments of a text
FetchMedia: get a picture of a message; the attachment of an MMS
DeleteMedia: delete a picture that was sent; remove an attachment of a message
CreateIncomingPhoneNumber: buy a phone number; get a new number; purchase this number; provision a number; rent a phone number
CreateIncomingPhoneNumberLocal: buy a local number; get a number with an area code
CreateIncomingPhoneNumberMobile: buy a mobile number
CreateIncomingPhoneNumberTollFree: buy a toll-free number; get an 800 number; purchase a free number
ListIncomingPhoneNumber: which phone numbers do we own; list our numbers; numbers on the account; what numbers are we paying for
ListIncomingPhoneNumberLocal: our local numbers
ListIncomingPhoneNumberMobile: our mobile numbers
ListIncomingPhoneNumberTollFree: our toll-free numbers; which 800 numbers do we own
FetchIncomingPhoneNumber: settings of a phone number; where do calls to this number go; details of one of our numbers
UpdateIncomingPhoneNumber: change where calls to a number go; set the webhook of a number; point a number at another URL; rename a phone number; forward incoming texts to a URL; move a number to another account
DeleteIncomingPhoneNumber: release a phone number; give up a number; cancel a number we don't use; stop paying for a number; get rid of a phone number
ListAvailablePhoneNumberCountry: in which countries can I buy numbers; supported countries for phone numbers
FetchAvailablePhoneNumberCountry: which kinds of numbers can be bought in a country
ListAvailablePhoneNumberLocal: find a local number to buy; search numbers by area code; available numbers in Chicago; numbers in a city; which local numbers are free
ListAvailablePhoneNumberMobile: find a mobile number to buy; available mobile numbers; cell numbers for sale
ListAvailablePhoneNumberTollFree: find a toll-free number; available 800 numbers; vanity toll free numbers
ListAvailablePhoneNumberNational: available national numbers
ListAvailablePhoneNumberVoip: available VoIP numbers
ListAvailablePhoneNumberMachineToMachine: numbers for machines and devices
ListAvailablePhoneNumberSharedCost: available shared cost numbers
ListConference: list conferences; running conference calls; which group calls are going on; meetings in progress
FetchConference: details of a conference; is the conference call still running; when did the conference start
UpdateConference: end a conference; finish the conference call for everyone; announce something to all in the conference; play an announcement to the conference
CreateParticipant: add someone to a conference; dial a person into the conference; bring a colleague into the call; call someone and put them in the meeting
ListParticipant: who is in the conference; participants of a conference call; how many people are on the call
FetchParticipant: is the participant muted; details of someone in the conference
UpdateParticipant: mute a participant; unmute someone in the conference; put a caller on hold; take off hold; silence a person in the call; let him speak again; coach an agent
DeleteParticipant: kick someone out of a conference; remove a participant; throw a caller out of the meeting; drop a person from the conference
CreateQueue: create a call queue; new waiting line for callers; set up a support queue
ListQueue: list queues; which call queues exist; how many callers are waiting in each queue
FetchQueue: how long is the queue; average wait time; number of callers waiting in a queue
UpdateQueue: rename a queue; change the maximum size of the queue
DeleteQueue: delete a queue; remove a waiting line
ListMember: who is waiting in the queue; callers on hold in a queue; people in line
FetchMember: position of a caller in the queue; how long has the caller been waiting
UpdateMember: take the next caller out of the queue; connect a waiting caller; dequeue a call; answer the first person in line
CreateApplication: create an application; new TwiML app; set up a voice app
ListApplication: list applications; our TwiML apps
FetchApplication: settings of an application; TwiML app details
UpdateApplication: change the voice URL of an application; update a TwiML app
DeleteApplication: delete an application; remove a TwiML app
CreateAddress: add an address; register our office address; new emergency address; store a street address
ListAddress: list addresses; which addresses are on file
FetchAddress: details of an address; look up an address we registered
UpdateAddress: change an address; correct the street; we moved offices
DeleteAddress: delete an address; remove an old address
ListDependentPhoneNumber: which numbers use this address; phone numbers that depend on an address
CreateNewKey: create an API key; new API credentials; generate a key
ListKey: list API keys; which keys exist
FetchKey: details of an API key
UpdateKey: rename an API key
DeleteKey: revoke an API key; delete a leaked key; remove old credentials
CreateNewSigningKey: create a signing key; new signing key
ListSigningKey: list signing keys
DeleteSigningKey: delete a signing key; revoke a signing key
CreateToken: temporary credentials for TURN servers; get ICE servers; network traversal token
CreateValidationRequest: verify a caller ID; add my own number as caller ID; validate a phone number I own; show my number when calling
ListOutgoingCallerId: verified caller IDs; which numbers may we show when calling
FetchOutgoingCallerId: details of a verified caller ID
UpdateOutgoingCallerId: rename a caller ID
DeleteOutgoingCallerId: remove a verified caller ID; delete a caller ID
ListShortCode: list short codes; which short codes do we have
FetchShortCode: details of a short code
UpdateShortCode: change where texts to a short code go; update the SMS URL of a short code
ListNotification: list errors; error log of the account; recent warnings; what went wrong in our account
FetchNotification: details of an error; read a logged notification
ListUsageRecord: usage and costs; how much did we spend; what did we use; spending by category; cost of SMS
ListUsageRecordAllTime: usage since the beginning; total spend of all time
ListUsageRecordDaily: usage day by day; daily costs; how much per day
ListUsageRecordLastMonth: usage last month; what did we spend last month; last month's bill
ListUsageRecordMonthly: usage month by month; monthly costs
ListUsageRecordThisMonth: usage this month; how much have we spent so far this month
ListUsageRecordToday: usage today; what did we spend today; how many messages today cost
ListUsageRecordYearly: usage per year; yearly costs
ListUsageRecordYesterday: usage yesterday; what did we spend yesterday
CreateUsageTrigger: alert me when we spend too much; notify when usage passes a limit; spending alarm; warn when the bill exceeds
ListUsageTrigger: list usage alerts; which spending alarms exist
FetchUsageTrigger: details of a usage alert
UpdateUsageTrigger: change a usage alert; change the callback of a spending alarm
DeleteUsageTrigger: remove a usage alert; delete a spending alarm; stop warning me about costs
CreateStream: stream the audio of a call; start a media stream; live audio to a websocket
UpdateStream: stop the media stream of a call
CreatePayments: take a card payment during a call; start a payment on the phone
UpdatePayments: complete or cancel a payment on the phone
CreateSiprec: start a SIPREC stream; fork the media of a call to a recorder
UpdateSiprec: stop a SIPREC stream
CreateSipDomain: create a SIP domain; register a SIP domain
ListSipDomain: list SIP domains; which SIP domains do we have
FetchSipDomain: settings of a SIP domain
UpdateSipDomain: change a SIP domain; point a SIP domain at another URL
DeleteSipDomain: delete a SIP domain
CreateSipCredentialList: create a list of SIP credentials
ListSipCredentialList: lists of SIP credentials
CreateSipCredential: add a SIP user and password; new SIP login
ListSipCredential: SIP users in a credential list; SIP logins
UpdateSipCredential: change the password of a SIP user
DeleteSipCredential: delete a SIP user; remove a SIP login
CreateSipIpAccessControlList: create a list of allowed IP addresses; new IP access control list
ListSipIpAccessControlList: lists of allowed IP addresses
DeleteSipIpAccessControlList: delete a list of allowed IP addresses
CreateSipIpAddress: allow an IP address for SIP; whitelist our PBX's IP address
ListSipIpAddress: which IP addresses may send SIP traffic; allowed IPs
UpdateSipIpAddress: change an allowed IP address
DeleteSipIpAddress: remove an IP address from the allow list; stop trusting an IP address
ListConnectApp: connect apps; apps that others can connect
ListAuthorizedConnectApp: which third-party apps have access to my account; authorized apps
DeleteConnectApp: delete a connect app
CreateIncomingPhoneNumberAssignedAddOn: install an add-on on a number
ListIncomingPhoneNumberAssignedAddOn: add-ons of a phone number
DeleteIncomingPhoneNumberAssignedAddOn: remove an add-on from a number
CreateUserDefinedMessage: send a custom message to a running call's client
`
