/**
 * Summaries and usages of the app's commands, apart from their code so that help loads none of it.
 */
export const USAGES = {
  serve: {
    summary: 'Start the server: HTTP and MCP on one port.',
    usage:
      'surehand serve [--port 4114] [--host 127.0.0.1] [--demo] [--config FILE] [--data FOLDER] [--json]',
  },
  init: {
    summary: 'Write a first app: a tool that reads, one that a person approves, their tests.',
    usage: 'surehand init [FOLDER] [--kind mcp|chat] [--name NAME] [--yes] [--json]',
  },
  dev: {
    summary: 'Start the server, and start it again whenever a file changes.',
    usage: 'surehand dev [--port 4114] [--demo] [--config FILE] [--data FOLDER] [--json]',
  },
  pm: {
    summary: 'Personal manager: tasks, habits, projects, time and notes.',
    usage: [
      'surehand pm [today]                        what is due, habits, what next; asks which are done',
      'surehand pm capture TEXT                   "call Bob tomorrow 5pm @phone !high"',
      'surehand pm inbox | next [--energy low] [--minutes 30] [--context phone] | waiting | someday',
      'surehand pm done NUMBERS | defer NUMBERS UNTIL | delete NUMBERS        NUMBERS of the last list: 1,3,5 or 2-4',
      'surehand pm clarify NUMBERS next|someday|reference|delete | delegate NUMBERS WHO [--by "in a week"]',
      'surehand pm habits [NAME] | habit add NAME [--frequency weekly] [--remind 07:30] | did NUMBERS|NAME [--on yesterday]',
      'surehand pm projects [NAME] | project add NAME [--by "end of May"]',
      'surehand pm explain task|habit|project|time [NAME] | recommend',
      'surehand pm plan | work start WHAT | work stop | work report | review [daily|weekly]',
      'surehand pm note TEXT | notes WORDS | zone NAME',
      'surehand pm v1 [FUNCTION NAME=VALUE …]    a function of version 1, served until 30 June 2027',
      'surehand pm export json|markdown|csv|icalendar | import FILE [--apply] | sync | feed | forget-me',
      'Every command accepts --json.',
    ].join('\n'),
  },
  mcp: {
    summary: 'Serve MCP on stdin and stdout, for a client that starts the server itself.',
    usage:
      'surehand mcp [--as PRINCIPAL] [--compact] [--demo] [--config FILE] [--data FOLDER] [--json]',
  },
  migrate: {
    summary: 'Create or change the tables of the database, and end.',
    usage: 'surehand migrate [--config FILE] [--data FOLDER]',
  },
  doctor: {
    summary: 'Check the installation and say how to fix problems.',
    usage: 'surehand doctor [--config FILE] [--data FOLDER]',
  },
  keys: {
    summary: 'Create or rotate the encryption and audit keys.',
    usage: 'surehand keys new [FILE] | surehand keys rotate [FILE] | surehand keys reseal',
  },
  principals: {
    summary: 'List principals, set their roles, erase their data.',
    usage:
      'surehand principals [list] | surehand principals set NAME --role user [--role …] [--disabled] | surehand principals forget NAME',
  },
  tokens: {
    summary: 'List, create and revoke access tokens.',
    usage:
      'surehand tokens [list] | surehand tokens create PRINCIPAL --name TEXT [--agent] [--scope …] [--days 90] | surehand tokens revoke ID',
  },
  import: {
    summary: 'Import an OpenAPI document or a GraphQL schema as tools; review and accept changes.',
    usage: [
      'surehand import [list] | show NAME | refresh NAME | accept NAME --document HASH [--tool ID …] | remove NAME',
      'surehand import openapi NAME FILE|URL [--allow all|reads|OPERATION|tag:…|prefix:…|method:…|search:… …] [--sidecar FILE] [--overlay FILE] [--origin URL] [--server URL] [--variable NAME=VALUE …] [--auth bearer|basic] [--credential SCHEME=ID …] [--refresh SECONDS] [--list] [--dry-run]',
      'surehand import graphql NAME ENDPOINT [--schema FILE|URL] [--allow mutation.NAME …] [--overlay FILE] [--auth bearer|basic] [--credential ID] [--list] [--dry-run]',
      'surehand import actions NAME FILE|URL [--refresh SECONDS] [--dry-run]',
      'surehand import webmcp NAME ORIGIN [--dry-run]',
    ].join('\n'),
  },
  mount: {
    summary: 'Mount another MCP server.',
    usage:
      'surehand mount NAME --url URL | --server NAME-IN-CONFIG [--overlay FILE] [--credential ID]',
  },
  adopt: {
    summary: 'Put the MCP servers of a client behind Surehand: governed, audited, one list.',
    usage: [
      'surehand adopt                             the clients on this machine, and how many servers each has',
      'surehand adopt FILE|CLIENT [--only SERVER …] [--open NAME.TOOL …] [--ask NAME.TOOL …] [--input ID=VARIABLE …] [--unpinned] [--dry-run] [--yes]',
      'surehand adopt FILE|CLIENT --undo          gives the client its own servers back',
    ].join('\n'),
  },
  programs: {
    summary: 'Propose a tool made of other tools as data; look at it and accept it.',
    usage:
      'surehand programs [list] | propose FILE | show ID | accept ID --digest HASH | remove ID',
  },
  credentials: {
    summary: 'Manage the credentials of imported tools; secrets are read from stdin.',
    usage:
      'surehand credentials [list] | set ID --kind apiKey|bearer|basic|clientCredentials|authorizationCode --origin https://… [--username …] [--client-id … --token-url … [--authorize-url …] [--scope …] [--for tenant|principal]] | set ID --kind aws --origin https://… --region eu-west-1 [--service …] | set ID --kind environment --server NAME --variable NAME … | authorize ID | remove ID',
  },
  webhooks: {
    summary: 'Manage webhooks that are notified when calls end.',
    usage: [
      'surehand webhooks [list] | add NAME --url https://… | remove NAME',
      'surehand webhooks off NAME | on NAME       while it is off nothing is sent',
      'surehand webhooks test NAME                sends a message once, also while it is off',
      'surehand webhooks deliveries NAME          the last 50, with their answers and the next attempt',
    ].join('\n'),
  },
  notifications: {
    summary: 'Say how a person hears of what waits for them: e-mail, Slack, webhook.',
    usage:
      'surehand notifications [show] --as NAME | set --as NAME [--email ADDRESS|none] [--slack URL|USER|none] [--webhook URL|none] [--requests mine|all] [--action-links on|off] | test --as NAME',
  },
  'sign-in': {
    summary: 'Create a link that signs a principal in once.',
    usage: 'surehand sign-in PRINCIPAL [--role admin] [--minutes 60]',
  },
} as const
