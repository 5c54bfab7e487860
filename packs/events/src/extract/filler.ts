// table of words around a title in a sentence, folded; a pattern removes words at the start or end
const LEADING = [
  /^[ld]'(?=\p{L})/u,
  /^[^\p{L}\p{N}"'„“«#]+/u,
  /^(?:uh+|u?hm+|um+|er+m?|em|euh|bah|ben|ahm?|ehm?|ohm|eh|pues|bueno|oye|oigan|also|alors|okay|ok|so|hmm+|na\s+ja|genau)(?=[\s,.])/u,
  /^(?:(?:on|nous)\s+(?:a|avons)\s+dit\s+(?:que\s+|qu')|que\s+no\s+se\s+(?:me|nos)\s+olvide|(?:don't|do\s+not)\s+let\s+me\s+forget(?:\s+to)?|note[rz]?\s+(?:que|qu')|trag(?:e)?\s+(?:mir\s+)?(?:bitte\s+)?(?:mal\s+)?(?:ein(?:en)?)?|book\s+(?:me|us)\s+in(?:\s+for)?|remind\s+(?:me|us)\s+(?:that\s+|to\s+|about\s+|of\s+)?|recuerdame|rappelle-moi|erinner(?:e)?\s+mich\s+an|acuerdate\s+de)(?=[\s']|(?<='))/u,
  /^(?:(?:hey|hi|hello|dear|hallo|moin|servus|liebe[rn]?|salut|bonjour|bonsoir|coucou|cher|chere|chers|hola|buenas|querid[oa]s?)(?:\s+(?:all|everyone|everybody|guys|folks|team|friends|there|zusammen|leute|ihr\s+lieben|freunde|tous|toutes|tout\s+le\s+monde|a\s+todos|a\s+tod[oa]s|chic[oa]s|amig[oa]s|equipo))?)(?=[\s,!.:-]|$)/u,
  /^(?:guten\s+(?:tag|morgen|abend))(?!\p{L})/u,
  /^(?:reminder|just\s+a\s+reminder|quick\s+heads-?up|heads-?up|quick\s+reminder|fyi|heads\s+up|save\s+the\s+date|invitation|(?:don't|do\s+not)\s+forget(?:\s+about)?|remember|subject|event|what|title|re|fwd?|erinnerung|kurze\s+erinnerung|nicht\s+vergessen|nicht\s+verpassen|(?:wir\s+haben\s+)?karten\s+fur|(?:herzliche\s+)?einladung|termin|veranstaltung|betreff|was|titel|vormerken|rappel|petit\s+rappel|n'oublie[zs]?\s+pas|objet|quoi|titre|evenement|a\s+noter|recordatorio|no\s+(?:te\s+)?olvid(?:es|eis|en)|invitacion|asunto|que|titulo|evento|apunta(?:d)?|anota)(?!\p{L})\s*[:!,-]?/u,
  /^(?:you're|you\s+are|we're|we\s+are|i'm|i\s+am|it's|it\s+is|there's|there\s+is|there\s+will\s+be|there'll\s+be|that's|we'll|we\s+will|i'll|i\s+will|i've\s+got|i\s+have|we\s+have|we've\s+got|they're|they\s+are)(?!\p{L})/u,
  /^(?:(?:all\s+|both\s+|cordially\s+)?invited|hosting|having|going|doing|holding|organi[sz]ing|planning|throwing|celebrating|running|putting\s+on|meeting(?:\s+up)?(?=\s+for)|playing|be(?=\s+(?:at|having|hosting|going))|happening|taking\s+place|(?:(?:i|we)\s+)?(?:just\s+)?(?:got|booked|bought)(?:\s+(?:us|you|me))?(?:\s+tickets)?|tickets|back)(?!\p{L})/u,
  /^(?:join\s+us|come(?:\s+along|\s+and\s+join\s+us|\s+with\s+(?:me|us)|\s+over)?|let's|lets|shall\s+we|can\s+we|could\s+we|can\s+you|could\s+you|would\s+you\s+like\s+to|do\s+you\s+want\s+to|do\s+you\s+wanna|wanna|want\s+to|fancy(?=\s)|are\s+you\s+(?:coming|going|free|up|around|joining)|anyone\s+(?:up|keen)|who's\s+(?:up|in|coming)|how\s+about|what\s+about|looking\s+forward|see\s+you|i'd\s+love\s+(?:you\s+)?to|would\s+love\s+(?:you\s+)?to|please|pls)(?!\p{L})/u,
  /^(?:(?:our|the|der|die|das|le|la|el)\s+)?(?:next|upcoming|nachste[rns]?|kommende[rn]?|prochaine?|proxim[oa])(?!\p{L})/u,
  /^(?:(?:i|we)\s+(?:need|have|want)\s+to|i\s+must|i've\s+got\s+to|ich\s+muss|wir\s+mussen|je\s+dois|il\s+faut|tengo\s+que|hay\s+que|we've\s+booked(?:\s+a\s+table)?(?:\s+for)?|(?:habt|hat|hast)\s+\p{L}+\s+lust\s+auf)(?!\p{L})/u,
  /^(?:j'ai|ich\s+habe?|tengo|(?:does\s+)?anyone\s+(?:want\s+to|wanna|fancy|up\s+for|free\s+for)|who\s+wants\s+(?:to|an?)|\p{L}+\s+wants\s+to)(?!\p{L})/u,
  /^(?:remind\s+me|put(?=\s)|i\s+think|ajoute[rz]?|le\s+mando|quick\s+reminder|hiermit|ich|here\s+is|(?:quick|kurze)\s+\p{L}+:)(?!\p{L})/u,
  /^(?:add|put|schedule|book|plan|create|note|enter|mark|go|grab|catch|watch|see|have|do|get|attend|join|meet(?:\s+up)?|visit|celebrate)(?=\s+(?:to|for|the|a|an|at|us|in|our|my|some|down|me)\b|\s*:)/u,
  /^(?:wir|ich|ihr|du|es|man|sie)\s+(?:laden|lade|feiern|feiere|treffen|treffe|gehen|gehe|machen|mache|haben|habe|hab|veranstalten|veranstalte|wollen|will|mochten|mochte|gibt|ist|findet|steigt|sind|spielen|fahren|organisieren|sehen|seht|kommt|schauen)(?!\p{L})/u,
  /^(?:laden|lade|feiern|treffen|gehen|machen|haben|veranstalten|wollen|findet|steigt|gibt(?:'s|\s+es)?|ist|kommst|kommt|komm|wollt|willst|hast|habt|lass(?:t|en)?|sollen|denk(?:t|e)?|trag(?:t|e)?|seid|bist|sehen|freut?|hattest|hattet|hatte)\s+(?:(?:wir|uns|euch|dich|ihr|du|sie|es|alle|mit|bitte|lust|dran|daran|herzlich|auch|dabei|mal|an|auf|zeit)(?!\p{L})\s*)*/u,
  /^(?:uns|euch|dich|dir|mir|herzlich|bitte|alle|auch|mit|dann|schon|noch|wieder|statt)\s+(?=\p{L})/u,
  /^(?:on|nous|je|tu|vous|il|ca|c'est|ce\s+sera)\s+(?:(?:vous|t'|te|se|nous)\s*)?(?:va|vas|allons|allez|retrouve|retrouvons|voit|voyons|fait|faisons|fais|organise|organisons|fete|fetons|invite|invitons|vient|viens|venez|y\s+a|aura|vous\s+dit|te\s+dit|vous\s+dirait|te\s+dirait|propose|proposons|celebre|celebrons|dit|dirait|etes|sera)(?!\p{L})(?:\s+(?:invites?|invitees?|tou(?:te)?s|d'aller|de\s+venir))*/u,
  /^(?:ca\s+(?:te|vous)\s+(?:dit|dirait|tente)|viens|venez(?:\s+nombreux)?|rendez-vous|invite[e]?s?|d'aller|aller|y\s+aller|il\s+y\s+a(?:ura)?|voir|ecouter|(?:reservez|bloquez)\s+(?:votre|vos|la)\s+(?:soiree|date|journee)|ne\s+(?:rate|manque)[zr]?\s+pas|pense[zr]?\s+a|tu\s+viens|vous\s+venez|qui\s+vient|t'es\s+partant(?:e)?|je\s+t'invite|je\s+vous\s+invite)(?!\p{L})/u,
  /^(?:vamos|vais|vas|vienes|venis|ven|venid|no\s+te\s+pierdas|no\s+os\s+perdais|toca(?:n)?|actua(?:n)?|quedamos|nos\s+vemos|te\s+apetece|os\s+apetece|te\s+vienes|os\s+venis|te\s+invito|os\s+invito|os\s+invitamos|te\s+esperamos|os\s+esperamos|estais\s+invitad[oa]s|estas\s+invitad[oa]|celebramos|celebro|tenemos|tengo|organizamos|organizo|hacemos|hago|hay|habra|sera|es|recuerda|recordad|pon(?:me)?|agenda|quien\s+se\s+apunta|puedes|podemos|quieres|quereis|ir|venir)(?!\p{L})/u,
  /^(?:to|for|at|on|in|of|about|with(?=\s+(?:a|the)\s)|is|will\s+be|will|starts?|begins?|and|so|then|also|zu|zum|zur|zu\s+unser(?:em|er)|ins|im|in|am|an|auf|auf\s+(?:den|die|das)|von|bei|beim|und|dann|a|au|aux|pour|le|la|les|l'|un|une|des|de|du|d'|en|et|al|el|los|las|del|una|unos|para|por|con\s+motivo\s+de|y|the|a|an|our|my|some|this|that|der|die|das|den|dem|ein|eine|einen|einem|einer|unser|unsere|unseren|unserem|unserer|mein|meine|meinen|meinem|notre|nos|mon|ma|ce|cette|cet|nuestro|nuestra|mi|este|esta)(?!\p{L})/u,
]
const TRAILING = [
  /[^\p{L}\p{N})"'“”»!]+$/u,
  /(?<!\p{L})(?:takes?\s+place|is\s+(?:happening|taking\s+place|on)|will\s+(?:be(?:\s+held)?|take\s+place|start|begin)|starts?|begins?|is|are|happens?|coming\s+up|gehen|findet(?:\s+statt)?|statt|steigt|beginnt|startet|ist|sind|ein|uns|euch|dich|dir|mitkommen|kommen|dabei|an|offnet|vorbei|(?:is|are)\s+back|moved(?:\s+to)?|opens|(?:in|into)\s+(?:the|my|our)\s+calendar|in\s+den\s+kalender|dans\s+(?:le|mon)\s+calendrier|en\s+(?:el|mi)\s+calendario|bei\s+mir|bei\s+uns|chez\s+moi|chez\s+nous|en\s+mi\s+casa|sale|sort|startet|wird|at\s+my\s+house|again(?:\s+this\s+year)?|at\s+mine|at\s+my\s+place|se\s+retrouve|se\s+reunit|se\s+reune|trifft\s+sich|ouvre|abre|toca|aura\s+lieu|a\s+lieu|est|sera|se\s+tient|se\s+tiendra|commence|debute|y\s+aller|tiene\s+lugar|tendra\s+lugar|sera|es|empieza|comienza|se\s+celebra|de\s+nuevo)$/u,
  /(?<!\p{L})(?:to|for|at|on|in|of|the|a|an|from|by|with|and|or|um|am|im|in|an|ab|von|bis|zu|zum|zur|mit|und|der|die|das|den|dem|bei|fur|auf|le|la|les|l'|a|au|aux|de|du|des|en|et|pour|chez|dans|sur|avec|un|une|el|los|las|del|al|y|con|para|por|una|desde|hasta|que|if|so|who's|wer|qui|quien|please|bitte|svp|porfa|every|each|jeden|chaque|cada|this|next|diesen|nachsten)$/u,
]

// table of words right before a title, and right behind one, folded
const BEFORE =
  /(?<!\p{L})(?:(?:invit(?:e|es|ed|ing)|welcome)\s+(?:you\s+)?(?:all\s+|both\s+)?to|join\s+(?:us|me)\s+(?:for|at|in)|join\s+(?=the\s|our\s)|(?:reminder|heads-?up)\s+(?:about|for|of|that)|(?:don't|do\s+not|dont)\s+(?:miss|forget)|signed\s+(?:\p{L}+\s+)?up\s+for|tickets\s+(?:to|for)|remind\s+me\s+(?:that\s+)?(?:i\s+have|about|of|to)|up\s+for|registered\s+for|enrolled\s+in|angemeldet\s+(?:zum|zur|fur)|inscrite?s?\s+(?:a|au)|inscrit[oa]\s+(?:en|al)|tiene\s+cita\s+en|confirm(?:ing)?\s+your|bestatigen(?:\s+\p{L}+){0,2}\s+termin\s+(?:zum|zur|fur\s+\p{L}+)|confirmons\s+(?:votre|le|la|un)(?:\s+rendez-vous\s+(?:en|pour|de))?|confirmamos\s+(?:su|la|el)(?:\s+cita\s+(?:en|para|de))?|booked\s+you(?:\s+in)?(?:\s+for)?|you\s+have\s+an?|les?\s+recuerdo|(?:laden?|lad(?:t|e)|eingeladen|einladung)(?:\s+\p{L}+){0,3}?\s+zu(?:m|r|\s+unser(?:em|er))?|ihren\s+termin\s+(?:zum|zur|fur\s+(?:die|das|den))|karten\s+fur|trag\s+(?:mir\s+)?(?:bitte\s+)?|(?:invitons|invite|invites?|convoquee?s|convoque|convions|convie|invite\(e\)s?)(?:\s+\p{L}+){0,2}?\s+(?:a\s+(?:l'|la\s|un\s|une\s)?|au\s|aux\s)|ajoute[rz]?|on\s+regarde|(?:convoc\p{L}+|invit(?:amos|o|an|a))(?:\s+\p{L}+){0,2}?\s+(?:a\s+(?:la|una?|los)|al)|os\s+confirmo|le\s+confirmo|confirmamos|apuntame|anade|hacemos|ponme|(?:inform|informer?)\s+you\s+that|reminded\s+(?:that|of|about)|remind\s+you\s+(?:that|of|about)|given\s+that|erinnern?\s+(?:wir\s+)?(?:sie|dich|euch)\s+an|herinneren\s+(?:wij\s+)?(?:u|je)\s+aan|recordamos(?:\s+que)?|informa(?:mos)?\s+(?:de\s+)?que|rappelons(?:\s+que)?|informons\s+(?:que|de)|invitiamo(?:\s+\p{L}+)?\s+a(?:l|lla|llo|ll')?|convida(?:mos)?(?:\s+\p{L}+)?\s+para|nodig(?:t|en)\s+(?:wij\s+)?(?:u|je|jullie)\s+uit\s+voor|zu[mr]?(?=\s[^.!?\n]{3,60}\s(?:laden|einladen|geladen|eingeladen))|(?:reservez|bloquez)\s+(?:votre|vos|la)\s+(?:soiree|date|journee)\s*:?|attendance\s+(?:at|is\s+required\s+at)|presents?|prasentiert|presente|presenta|lust\s+auf|fancy|how\s+about|on\s+se\s+fait(?:\s+une?)?|te\s+apetece(?:\s+una?)?|os\s+apetece(?:\s+una?)?|quedamos\s+para|treffen\s+(?:wir\s+)?uns(?:\s+\p{L}+){0,2}\s+zu[mr]?|(?:meet|(?:are|re)\s+meeting)\s+(?:up\s+)?for|te\s+esperamos\s+en|carry\s+out\s+(?:the|an?)|n'oublie[zs]?\s+pas|vergesst\s+nicht|vergiss\s+nicht|booked\s+in\s+for|convoquee?s?\s+pour|attendue?s?\s+pour|company\s+at|presence\s+at|(?:summoned|required|asked|invited)\s+to\s+(?:appear\s+(?:for|at)|attend)(?:\s+(?:the|an?))?|se\s+convoca|citad[oa]\s+(?:a|para)|(?:on\s+fete|fetons|festeggiamo|vieren\s+(?:we|wij)|feiern\s+wir)|celebrate|celebrating|feiern|celebramos)(?!\p{L})/gu
const AFTER =
  /(?<!\p{L})(?:(?:that\s+|which\s+)?(?:will\s+)?(?:takes?|be\s+taking|taking)\s+place|(?:that\s+)?will\s+be\s+held|(?:is|are)\s+(?:scheduled|planned|happening|coming\s+up|confirmed|booked)|has\s+been\s+(?:made|booked|scheduled|arranged|moved|planned)|(?:that|which)\s+(?:starts|begins)|meets|kicks\s+off|findet|wird\s+(?:am|stattfinden)|ist\s+dieses\s+jahr|(?:qui\s+)?(?:aura|a)\s+lieu|(?:qui\s+)?se\s+(?:tiendra|tient|deroulera)|est\s+(?:prevue?|fixee?|programmee?|organisee?)|is\s+(?:organi[sz]ed|hosted)|se\s+organiza|wird\s+organisiert|(?:que\s+)?(?:tendra|tiene)\s+lugar|(?:que\s+)?se\s+celebra(?:ra)?|se\s+(?:llevara\s+a\s+cabo|realizara|hara)|has\s+been\s+(?:fixed|set)|is\s+now|verschiebt\s+sich|(?:ist|wurde|wird)\s+verschoben|est\s+(?:confirmee?|decalee?|reportee?|enregistree?)|esta\s+(?:confirmad[oa]|programad[oa]|marcad[oa])|e\s+convocat[oa]|(?:was|is|got)\s+(?:moved|postponed|rescheduled)|in\s+the\s+diary|next\s+month|regarding|will\s+be(?:\s+(?:celebrated|shut|closed|on|at))?|is\s+(?:booked|arranged|fixed|due|on|back|moved)|moves\s+to|returns|startet|erfolgt|bleibt|beginnt|ist\s+am|est\s+fixee?|(?:ha\s+)?qued(?:a|o|ado)|sera|ha\s+sido|si\s+(?:terra|svolge|svolgera|tiene)|realiza-se|tera\s+lugar|vindt|is\s+op|e\s+fissat[oa]|e\s+confermat[oa])(?!\p{L})/gu

export type Cue = {
  readonly start: number
  readonly end: number
  readonly role: 'before' | 'after'
}

// Each cue is compared with every piece of the text.
const MAX_CUES = 100

/** Words that announce a title, such as "you are invited to", or follow one, such as "takes place". */
export function findCues(folded: string): readonly Cue[] {
  return (
    [
      ['before', BEFORE],
      ['after', AFTER],
    ] as const
  ).flatMap(([role, pattern]) =>
    [...folded.matchAll(pattern).take(MAX_CUES)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      role,
    })),
  )
}

// Longer than any filler. Without the limit a pattern that is tried at every position of a long text
// takes seconds.
const MAX_FILLER_LENGTH = 80

export type Cleaned = {
  readonly start: number
  readonly end: number
  /** The number of fillers that were removed. */
  readonly removed: number
}

/** Removes words before and after a title that are not part of it. */
export function withoutFiller(folded: string, from: number, to: number): Cleaned {
  let [start, end, removed] = [from, to, 0]
  for (let before = ''; before !== `${start} ${end}` && start < end; ) {
    before = `${start} ${end}`
    for (const pattern of LEADING) {
      const match = pattern.exec(folded.slice(start, Math.min(end, start + MAX_FILLER_LENGTH)))
      start += match?.[0].length ?? 0
      removed += match !== null && /\p{L}/u.test(match[0]) ? 1 : 0
    }
    for (const pattern of TRAILING)
      end -=
        pattern.exec(folded.slice(Math.max(start, end - MAX_FILLER_LENGTH), end))?.[0].length ?? 0
  }
  return { start, end: Math.max(start, end), removed }
}
