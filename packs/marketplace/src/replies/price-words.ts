// table
// The words around an amount that say what it is: the price of one or of all, a fee, an old price. All
// are folded (lower case, no accents).

export const UNIT_NOUNS: readonly (readonly [RegExp, string])[] = [
  [/^(?:box|boite|boxes|boites|carton|ikarito)$/, 'box'],
  [/^(?:strip|plaquette|blister)$/, 'strip'],
  [/^(?:tablet|tab|comprime|cp|ikinini|capsule|gelule)$/, 'tablet'],
  [/^(?:bottle|bouteille|flacon|icupa)$/, 'bottle'],
  [/^(?:kg|kilo|kilogram|ikiro)$/, 'kg'],
  [/^(?:pack|paquet|packet|ipaki)$/, 'pack'],
  [/^(?:sachet|bag|sac|umufuka)$/, 'bag'],
  [/^(?:metre|meter|metero)$/, 'metre'],
  [/^(?:litre|liter|litiro)$/, 'litre'],
  [/^(?:pair|paire)$/, 'pair'],
  [/^(?:dozen|douzaine|duzeni)$/, 'dozen'],
  [/^(?:day|jour|umunsi|siku)$/, 'day'],
  [/^(?:tray|plateau|itereyi|trei)$/, 'tray'],
]
export const NOUN =
  '(?:box|boite|carton|ikarito|agakarito|tray|plateau|itereyi|trei|tin|bucket|seau|roll|rouleau|vial|jerrycan|bidon|bar|egg|pill|plate|page|head|sqm|m2|set|sheet|tole|barre|plaquet|kidonge|mfuko|pakiti|chupa|kopo|boksi|dazani|agakopo|ikopo|strip|plaquette|blister|tablet|tab|comprime|cp|ikinini|capsule|gelule|bottle|bouteille|flacon|icupa|kg|kilo|ikiro|ikilo|pack|paquet|packet|ipaki|sachet|bag|sac|umufuka|metre|meter|metero|litre|liter|litiro|pair|paire|dozen|douzaine|day|jour|umunsi|piece|pc|unit|unite|item|one|person)'
export const ONE =
  '(?:imwe|kamwe|kimwe|rimwe|umwe|bumwe|rumwe|gamwe|moja|kimoja|kila (?:moja|kimoja|mmoja))'
export const UNIT_AFTER = new RegExp(
  String.raw`^[ ,]*(?:each\b|ea\b|apiece\b|a piece\b|chacune?\b|chaque\b|${ONE}\b(?! (?:ni|igura|iri|=))|(?:per|par|kwa|kila|kuri|buri|la|le|a|the|l'|for|pour|for one|\/) ?(?:one |1 |une? )?(${NOUN})\b|(?:per|par|\/) ?(?!day|jour|week|month)[a-z]{2,}\b|l'une?\b|(?:for|pour) (?:1|one|une?)\b|(?:pce|pc|piece|unite|unit)\b)`,
)
export const UNIT_BEFORE = new RegExp(
  String.raw`(?:\beach|(?:^|[,.;:] ?)(?:one |une? |1 )?(${NOUN})(?= ?$)|(?:^|[,.;:] ?|\b(?:the|le|la|kila|buri|ya|za|cya) )(?:one |une? |1 )?(${NOUN})(?: (?:wa|of|de|ya|y') ?\S+)?(?= (?:ni|is|a|at|=|:|igura|costs?) ?$)|\b(?:a|one|1|per|single|chaque|buri|kila|l'|la|le|un|une) ?(${NOUN})|\b${ONE}|\bikiro|\bone|\bsingle)(?: (?:ni|is|are|at|a|for|costs?|coute|igura|iri kuri))? ?[=:]? ?$`,
)
export const MANY = String.raw`(?:both|all|everything|them all|the two|the lot|les? (?:deux|trois|quatre|cinq|six|dix|\d+)|the (?:two|three|four|five|six|ten|\d+)|tout|[2-9]|\d\d|two|three|four|five|six|ten|twelve|a dozen|deux|trois|dix|douze)`
export const TOTAL_AFTER = new RegExp(
  String.raw`^[ ,]*(?:(?:for|pour) ${MANY}\b|(?:les|the) (?:deux|two|trois|three|quatre|four|cinq|five|six|dix|ten|douzaine|\d+)\b(?! (?:dispo|sont|are|available|in stock|en stock))|(?:en tout|au total|in total|total\b|byose|zose|yose|zote|vyote|yote|jumla|zombi|byombi|all\b(?! (?:day|time|over)))(?! ?(?:ni|is|est|a|cost|price|:|=|\d))|all together|altogether|(?:for )?the lot|combined|hamwe(?! n'| na))`,
)
export const SEVERAL =
  '(?:[2-9]|\\d\\d|two|three|four|five|six|ten|twelve|deux|trois|quatre|cinq|six|dix|douze|ebyiri|eshatu|enye|eshanu|abiri|atatu|ane|atanu|bibiri|bitatu)'
export const PLURAL =
  '(?:pcs|pieces|boxes|boites|packs|paquets|tabs|tablets|comprimes|plaquettes|bottles|flacons|bouteilles|strips|kgs?|kilos|units|unites|caps|capsules|gelules|litres?|pairs|paires|bags|sacs|sachets|cartons|trays|tins|buckets|rolls|vials|bars|jerrycans|plateaux|seaux|gms|imifuka|mifuko|vidonge|pakiti|chupa|amabati|amacupa|ibiro|kilo)'
export const TOTAL_BEFORE = new RegExp(
  String.raw`(?:\b(?:total|sum|jumla(?: ya)?|zote(?: \d+)?|vyote|yote|all(?: of them|(?: the)? ${SEVERAL})?|both|everything|en tout|au total|(?:le )?tout|(?:whole|your|the) (?:list|lot|order|set)|(?:pack|set|lot) of ${SEVERAL}|(?:by|z|y)ose(?: hamwe)?|hamwe|byombi|zombi|les ${SEVERAL}|ebyiri|eshatu|enye|eshanu|abiri|atatu|atanu|ibiri|bibiri|bitatu|mbili|tatu|tano)|\b${SEVERAL} (?:for|pour|a|at|ni|=|@|kuri)|\b${SEVERAL} ?${PLURAL}|\b(?:so|donc|then) ${SEVERAL})(?: (?:is|are|ni|est|fait|for|pour|(?:ca |ce qui )?(?:vous )?(?:fait|fera)|comes? to|will (?:be|cost|come to)(?: you)?|costs?(?: you)?|would be|makes?|goes for|it comes to|it's|a|on your list|price|price is))*(?: de)? ?[:=]? ?$`,
)
export const DELIVERY =
  '(?:delivery(?: fee)?|kuleta|kupeleka|usafiri|kukuletea|kubagezaho|kuyibagezaho|kubazanira|deliver(?: it)?|livraison|transport|shipping|motos?|motari|courier|deplacement|kukugezaho|ku(?:wu|yi|zi|ya|bi|ki|ri|bu|ru|ka)?(?:ku|ba|mu)?(?:zana|geza|gezaho|zanira)(?: (?!ni)[a-z]+)?)'
export const EXTRA =
  '(?:fitting|diagnostics?|diagnosis|inspection|consultation|service fee|ufundi|fundi|installation|installing|pose|montage|labou?r|main d.?oeuvre|alterations?|retouche|engraving|warranty|garantie|packaging|emballage)'
export const DELIVERY_AFTER = new RegExp(
  String.raw`^ ?(?:for |de |d'|pour |of |ya |to )?(?:the |la |le )?${DELIVERY}\b(?! (?:included|inclus\w*|compris\w*|free|gratuit\w*|offert\w*|on (?:you|me|us)|juu))`,
)
export const DELIVERY_BEFORE = new RegExp(
  String.raw`\b(?:(?:can |will |i'll |we )(?:bring|deliver|send)(?: (?:it|them|you))?(?: \w+){0,4} (?:for|at)|${DELIVERY})(?: (?:kuri|to|in|within|a|vers|dans) (?:your place|votre charge|[a-z]+))?(?: (?:is|fee|fees|cost|costs|ni|est|a|at|de|extra|apart|en plus|en sus))* ?[:=]? ?$`,
)
export const EXTRA_AFTER = new RegExp(
  String.raw`^ ?(?:if (?:we|i|you (?:want|need) (?:us to|it)) (?:fix|fit|install|deliver|bring|repair|mount)|si (?:on|nous) (?:pose|installe|livre|monte)|(?:(?:for|de|pour|of|ya) )?(?:(?:the|la|le|l') ?)?${EXTRA}\b(?! (?:incl|compris|free|gratuit|offert)))`,
)
export const EXTRA_BEFORE = new RegExp(
  String.raw`\b${EXTRA}(?: (?:is|fee|cost|costs|ni|est|a|at))* ?[:=]? ?$`,
)
export const OTHER_BEFORE =
  /\b(?:above|over|(?<!no )more than|beyond|au dessus de|au-dessus de|hejuru ya|was|were|less|minus|discount of|remise de|ilikuwa|zilikuwa|instead of|in place of|au lieu de|aho kuba|badala ya|si|sio|et non|and not|rather than|not|pas|before|avant|used to be|etait(?: a)?|yari|zari|byari|yaguraga|zaguraga|(?:(?:we|i) |already |j'ai |l'ai )(?:sold|vendue?)(?: (?:it|them|one|mine))?(?: \w+)?(?: at| for| a)?|deposit|(?:\w+ )?fees?|diagnos(?:is|tics?)|diagnostique|inspection|frais(?: \w+)?|caution|rent(?:al|ing)?|hire|location|kodi|kukodi\w*|gukodesh\w*|arrhes|advance|avansi|cost me|(?:i|we) bought (?:it|them)(?: at| for)?|m'a coute|(?:installments?|tranches?|parts) (?:of|de)|avance|acompte|code|(?:bulk|wholesale)(?: (?:buyers?|price|customers?))?(?: (?:get|pay))?|en gros|others?(?: (?:shops?|people|pharmacies))?(?: (?:sells?|charges?|asks?|takes?|gives?))?(?: it)?(?: (?:at|for))?|elsewhere|(?:up|increased|monte|passe) from|(?:monte|passe) de|ailleurs|ahandi)(?: (?:is|of|at|a|de|ya|ni|est))? ?[:=]? ?$/
/** The price of one where many are taken. */
export const BULK_BEFORE =
  /\b(?:from|starting from|des|a partir de|kuanzia|guhera kuri|uhereye kuri|(?:u|mu)fashe|(?:u|mu)guze|ukifata|if (?:you|u) (?:take|buy|get)|si (?:vous|tu) pren(?:ez|ds)|ukichukua|ukinunua) (?:(?:over|more than|plus de|hejuru ya|zaidi ya|mifuko|pieces|imifuka) )?\d{1,3}(?![\d.,]*\d)(?: [a-z]+)?,?(?: (?:ni|is|it's|c'est|a|at|je fais|i do|i give|buri|kwa|each|nakupa|nakufanyia|nakugira|naguhera|nguhera|twabahera|tubahera)){0,2} ?[:=]? ?$/
export const BULK_AFTER =
  /^(?: (?:each|chacune?|piece|la piece|imwe))? ?(?:from|des|a partir de|kuanzia|guhera kuri|if (?:you|u) (?:take|buy|get)|si (?:vous|tu) pren(?:ez|ds)|ufashe|uguze|ukichukua) (?:over |plus de )?\d{1,3}(?![\d.,]*\d)/
export const OTHER_AFTER =
  /^ ?(?:(?:for|pour|ya) (?:the |a |la |une )?(?:home visit|diagnosi[cs]|diagnostic|inspection|checking|call[- ]?out)\b|(?:(?:as |for |de |d'|comme |ya )?(?:a |an |une? )?(?:deposit|acompte|avance|caution|advance|arrhes|avansi))\b(?! ?\d)|elsewhere|ailleurs|ahandi|in (?:town|other shops)|at other shops|chez les autres|in bulk|wholesale|en gros|extra|en supplement|more|de plus)\b/
export const FINAL_BEFORE =
  /\b(?:last price|last|mwisho|sasa|bei ya mwisho|ya nyuma|igiciro cya nyuma|final|final price|dernier prix|now|maintenant|only|reduced to|discount|promo|i give you|give you at|give it at|give (?:it|this) to you(?: for| at)?|leave it (?:for|at)|reduce to|je (?:vous|te) (?:la |le |les |l')?(?:fais|laisse|cede)(?: (?:ca|cela))?|je (?:la |le )?laisse|promotion|n?ayiguhera|nakugira|tukugire|nkugire|tubaha kuri|tukaguha|twaguha|tunakupa|nitakupa|nakupa|nguhe|ubu|after discount|apres remise|for you|can do|nakugabanyiriza|nguhera|naguhera|ndaguhera)(?: (?:is|ni|a|at|it's|for))? ?[:=]? ?$/
export const FINAL_AFTER =
  /^ ?(?:last price|final|mwisho|last(?! ?\d)|dernier prix|fixed|non negociable|promo|for you|pour vous)\b/
export const PRICE_BEFORE =
  /(?:\b(?:price|prix|cost|costs|coute|igiciro|agaciro|bei|bei ni|inauzwa|igura|zigura|bigura|kigura|ugura|is|are|ni|est|at|a|for|pour|sell|selling|vend|vends)|[@=:])(?: (?:is|of|de|ni|est|at|a|it's))* ?[:=@]? ?$/

export const USUAL =
  /\b(?:(?:reduced|down|baisse) (?:from|de)|listed (?:as|at)|usual(?:ly)?|former(?:ly)?|previous(?:ly)?|normal(?:ly)?|normalement|regular|d'habitude|prix (?:normal|public|habituel)|(?:normal|usual|market|old|first|starting|asking) price|ancien prix|ubusanzwe|ubundi|mbere)(?: (?:is|it's|c'est|ni|it is|we sell(?: it)?(?: at| for)?|at|a|de|was|etait))* ?[:=]? ?$/
export const USUAL_AFTER =
  /^ ?(?:before|avant|mbere|normally|usually|normalement|d'habitude)\b|^[^\d]*\b(?:reduced to|down to|i meant|now it'?s|mais je (?:vous|te) (?:le |la |les )?(?:laisse|fais)|but (?:for you|i can (?:give|do|leave|make))|ariko (?:naguhera|nakugira|nayiguhera|ubu))\b/
export const CORRECTION =
  /\b(?:sorry|oops|oups|pardon|typo|mistake|i mean|i meant|samahani|nimekosea|trompee?|rather|actually|correction|je veux dire|je voulais dire|erreur|en fait|plutot|mbabarira|nibeshye|ndibeshye)\b|(?:^|[ .,])\*$/
export const CORRECTED = new RegExp(
  `(?:${CORRECTION.source})[^\\d]{0,14}$|\\.\\.+ ?(?:ok|okay|bon|no|non) ?$|[.,] (?:ok|okay|bon|allez|fine),? ?$`,
)
export const TOGETHER =
  /\b(?:both|all (?:of them|available|are|in stock|there|three|two|the items)|les (?:deux|trois)|tous|toutes|byombi|zombi|bombi|byose|zose|vyote|zote|tout|everything|the two|the three)\b/
/** The amounts are summed up. */
export const SUMMED =
  /\b(?:total|all|everything|altogether|together|tout|ensemble|byose|zose|yose|hamwe|byombi|zombi|vyote|zote|jumla|both|les deux)\b|=/
export const FOLLOWS = /\b(?:so|donc|soit|makes?|which is|hence)\b|=/
export const STRENGTHS: ReadonlySet<number> = new Set([
  100, 125, 200, 250, 400, 500, 625, 650, 800, 1000,
])
export const FORM_AFTER =
  /^ (?=\d{4,}|\d{1,3}k\b)|^ ?(?:caps?|capsules?|tabs?|tablets?|comprimes?|cp|gelules?|sirop|syrup|syr|susp|inj|pills?|strength|dosage)\b/
export const COUNT_WORDS: Readonly<Record<number, RegExp>> = {
  2: /\b(?:two|both|pair|deux|paire|[a-z]*biri|ebyiri|byombi|zombi)\b/,
  3: /\b(?:three|trois|eshatu|[a-z]*tatu)\b/,
  4: /\b(?:four|quatre|enye|[bai]+ne)\b/,
  5: /\b(?:five|cinq|eshanu|[a-z]*tanu)\b/,
  6: /\b(?:six|esheshatu|[a-z]*tandatu)\b/,
  10: /\b(?:ten|dix|i?cumi)\b/,
  12: /\b(?:twelve|dozen|douze|douzaine|duzeni)\b/,
}

export const COUNTED_AFTER =
  /^ ?(?:pcs|pieces|units|boxes|people|persons|customers|clients|in stock|left|remaining|available|en stock|disponibles|restants?|personnes|abantu)\b/
export const VARIANT =
  /\b[sml] ?[=:]|\b(?:sirop|syrup|comprimes?|tablets?|gelules?|capsules?|caps|creme|cream|ointment|pommade|injection|drops|gouttes|kubwa|ndogo|kopi|copie|originale?s?|cheap|cheaper|cheapest|generic|local|imported|chinese|indian|normal|plain|basic|premium|quality|grade|generique|locale?|importee?|chinoise?|small|smaller|medium|large|larger|big|bigger|mini|single|double|new|used|second ?hand|old|original|genuine|copy|here|delivered|pick|bring|petite?|grande?|moyenne?|gros|grosse|neuf|neuve|occasion|simple|iya|y'?iya|n'iya|into|inini|nto|nini|ntoya|\d+ ?(?:mls?|mg|gr?|kgs?|l|ltrs?|lit(?:re|er)s?|gb|go|inch(?:es)?|cm|m|pcs|tabs?|tablets?|pieces))\b/g
export const VARIANT_ONCE = new RegExp(VARIANT.source)
/** The thing is lent, not sold. */
export const RENT =
  /\b(?:(?:only |just )(?:rent|hire|lease)\b|(?:for|a) (?:rent|hire) only|for rent|a louer|(?:loue|louons) (?:seulement|uniquement)|on (?:le |la |les )?loue|(?:tu|n)(?:ra|da)?(?:yi|zi|ki|bi)?kodesha|tunakodisha|kukodisha)\b/
