/**
 * What a tool does with its object. Requests and tools use different verbs for the same thing: "open
 * a pull request" is `pulls/create`, "close an issue" is an update of its state.
 */
export type Action = 'create' | 'list' | 'get' | 'update' | 'delete'

// A verb may stand for several actions: the first is the most likely one.
const GENERIC: Readonly<Record<string, readonly Action[]>> = {
  ...verbs('create new make add start open begin register', ['create']),
  ...verbs('send post write put', ['create', 'update']),
  ...verbs('list browse which', ['list', 'get']),
  ...verbs('show display see view what who find search', ['list', 'get']),
  ...verbs('get fetch read retrieve describe look lookup is', ['get', 'list']),
  ...verbs('update edit change modify', ['update']),
  ...verbs('set', ['update', 'create']),
  ...verbs('delete remove', ['delete']),
}
// These also say much about the object, so their letters count in full.
const SPECIFIC: Readonly<Record<string, readonly Action[]>> = {
  ...verbs('draft generate insert compose attach file launch trigger dispatch run', ['create']),
  ...verbs('provision buy purchase submit publish upload invite book order', ['create']),
  ...verbs('join follow subscribe grant allow apply dial', ['create', 'update']),
  ...verbs('schedule charge refund pay star pin', ['create', 'update']),
  ...verbs('download inspect check count export', ['get', 'list']),
  ...verbs('rename replace patch move adjust upgrade assign enable turn', ['update']),
  ...verbs('restart resume pause suspend stop end finish void archive extend renew', ['update']),
  ...verbs('close reopen resolve lock mark mute hang scale cordon roll', ['update']),
  ...verbs('approve reject dismiss accept merge', ['update', 'create']),
  ...verbs('leave unpin unstar unfollow unsubscribe unblock clear purge terminate kill', [
    'delete',
  ]),
  ...verbs('drop destroy erase kick revoke release unassign detach', ['delete']),
  ...verbs('cancel', ['delete', 'update', 'create']),
}

function verbs(words: string, actions: readonly Action[]): Record<string, readonly Action[]> {
  return Object.fromEntries(words.split(' ').map((word) => [word, actions]))
}

const NO_ACTIONS: readonly Action[] = []

/** The actions that a verb may mean; none for other words. */
export function actionsOf(word: string): readonly Action[] {
  if (isGenericVerb(word)) return GENERIC[word] ?? NO_ACTIONS
  return Object.hasOwn(SPECIFIC, word) ? (SPECIFIC[word] ?? NO_ACTIONS) : NO_ACTIONS
}

/** Whether a verb says only what is done, whatever the object. */
export function isGenericVerb(word: string): boolean {
  return Object.hasOwn(GENERIC, word)
}

// Words that people and interfaces use for the same thing, each group in both directions.
const SAME: readonly string[] = [
  'repository repo',
  'pull-request pr merge-request',
  'ci workflow build pipeline',
  'bug issue defect ticket',
  'branch ref reference',
  'user person people someone somebody member everybody who',
  'contributor contribute contributed contribution',
  'review approve reviewer reviewed',
  'fail failed failure failing error',
  'comment note reply',
  'message text sms',
  'channel conversation',
  'workspace team',
  'picture image photo media',
  'file document content',
  'link url permalink',
  'status state presence',
  'money fund balance payout',
  'spend cost usage billing',
  'pay payment charge',
  'payout pay',
  'card payment-method',
  'plan price subscription',
  'command exec execute',
  'manual manually hand dispatch',
  'secret credential',
  'key token',
  'phone-number number',
  'transcript transcription',
  'webhook hook',
  'label tag',
  'bind binding',
  'dm im direct-message',
  'room channel conversation',
  'emoji reaction react',
  'discount coupon promotion promo',
  'bill invoice',
  'chargeback dispute',
  'customer client buyer',
  'configmap configuration config',
  'disk volume storage',
  'autoscale autoscaler autoscaling',
  'permission role access',
  'voicemail recording',
  'snooze dnd',
  'env environment variable',
  'release version',
  'fork copy',
  'vulnerability security advisory alert',
  'dependency dependabot',
  'tax vat',
  'teammate member user',
  'machine node server',
  'remind reminder',
  'deploy deployment rollout',
  'image container',
  'own belonging belong',
  'incoming inbound receive received',
  'email mail',
  'member membership',
  'topic subject',
  'history log commit',
  'star favorite',
  'notification alert',
  'cluster kubernetes',
]

const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = collectSynonyms()

function collectSynonyms(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const group of SAME) {
    const words = group.split(' ')
    for (const word of words)
      for (const other of words)
        if (other !== word) found.set(word, (found.get(word) ?? new Set()).add(other))
  }
  return found
}

const NO_WORDS: ReadonlySet<string> = new Set()

/** Other words for the same thing. */
export function synonymsOf(word: string): ReadonlySet<string> {
  return SYNONYMS.get(word) ?? NO_WORDS
}
