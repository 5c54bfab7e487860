import type { ReplyLanguage } from './reply-reading.ts'

const WORDS: Readonly<Record<'en' | 'fr' | 'rw', RegExp>> = {
  en: /^(?:yes+|yeah|yep|no|nope|not|the|we|i|you|is|are|have|it|it's|this|that|and|for|but|of|in|at|to|out|sorry|available|price|each|tomorrow|today|morning|please|call|come|let|me|check|can|will|with|only|sold|finished|thanks|hello|hi|good|how|many|what|which|don't|nothing|there|okay|per|box|left|last|was|now|new|know|someone|wrong|number|delivered|total|small|big|free|from|usd|affirmative|thousand|hundred|five)$/,
  fr: /^(?:oui|non|pas|plus|nous|vous|je|j'ai|j'en|on|n'en|avons|est|c'est|le|la|les|l'unite|des|du|une|et|mais|pour|dans|avec|bonjour|bonsoir|merci|dispo|disponible|demain|aujourd'hui|matin|soir|rupture|epuise|boite|plaquette|prix|chacune?|desolee?|quel|combien|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|prochain|deux|mille|cinq|cents|probleme|cher|verifie|y|en|ça|ca|fini|livraison|partir)$/,
  rw: /^(?:oya|yego|muraho|mwaramutse|mwiriwe|murakoze|ejo|ejobundi|ubu|none|nonaha|saa|imwe|kimwe|kamwe|ebyiri|byose|zose|ariko|gusa|hano|turi|iyo|izo|ibyo|nyinshi|igura|igiciro|ibihumbi|magana|amafaranga|muze|ngwino|reka|ndebe|nta\w*|nti\w+|sim\w+|sin[yzbgf]\w+|nda\w+|tura\w+|tuza\w+|dufite|mfite|[a-z]{1,3}rahari|hari|ihari|[ybz]y?a(?:ra)?(?:shize|rangiye)|ushaka|zingahe|angahe|ni|nzi|cumi|kuwa|iminota|hafi|isoko|bizaza|izaza)$/,
}

/** The language of a folded reply, by its words; `mixed` where it uses several. */
export function detectReplyLanguage(text: string): ReplyLanguage {
  const counts = { en: 0, fr: 0, rw: 0 }
  for (const [word] of text.matchAll(/[a-z]+(?:'[a-z]+)?/g))
    for (const language of ['en', 'fr', 'rw'] as const)
      if (WORDS[language].test(word)) counts[language] += 1
  const found = (['en', 'fr', 'rw'] as const).filter((language) => counts[language] > 0)
  const [only] = found
  if (only === undefined) return 'unknown'
  const most = found.reduce((one, other) => (counts[other] > counts[one] ? other : one))
  // One foreign word in a long reply is a loan ("ok", "stock"), not a second language.
  const others = found.filter(
    (language) => language !== most && counts[language] * 3 >= counts[most],
  )
  return others.length > 0 ? 'mixed' : most
}
