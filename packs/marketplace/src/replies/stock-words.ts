// table
// What vendors write about having a thing and not having it, folded (lower case, no accents). Order
// within a list does not matter. Kinyarwanda's verbs carry subject and object in front of their stem
// ("nda-yi-fite": I have it), so they are patterns over the stem instead of words.

const KIN_OBJECT = '(?:yi|zi|bi|ya|gi|ki|bu|ru|ka|tu|mu|ba|ri|wu|ha|ku)'
const KIN_SUBJECT = '(?:i|zi|bi|a|ki|bu|ru|ri|ya|u|ha|ka|tu|ba|gi)'

/** Phrases with a word of refusal that refuse nothing, and "have" said of others. */
export const NEUTRAL: readonly string[] = [
  "(?:don't|do not|didn't|doesn't) have (?:a |any |the |much |enough |small )?(?:change|coins?|car|vehicle|moto|motorbike|driver|delivery|momo|pos|card machine|ebm|credit|whatsapp|receipt|invoice|discount|warranty|guarantee|good network|where to)\\b(?! (?:available|in stock))|(?:n'ai|n'avons|ai|avons) pas (?:de |la |le )?(?:monnaie|livreur|voiture|moto|reduction|garantie|facture|reseau)",
  "(?:can't|cannot|won't|don't|do not|not|never) (?:\\w+ )?(?:do|go|give|make|take|sell|drop|reduce|accept|expired?|any) ?(?:it |you )?(?:less|lower|any less|cheaper|below|down|discounts?|cards?|credit|cheques?|returns?|visa|mobile money|momo|worry)|not (?:expired|damaged|broken|fake|more|less|a copy|from china|heavy|too \\w+)|no (?:returns?|exchange|credit|cards?|refunds?|warranty|guarantee|charger|box|discounts?|extra|hidden|tax|vat|side effects?)\\b|never (?:out of stock|out|finish\\w*|lacks?|runs? out|miss\\w*)|nothing less",
  "(?:y a |il n'y a |n'y a )pas (?:plus|moins|mieux)(?: de)? \\w+|pas (?:de )?(?:negociation|discussion|marchandage|garantie|retour|credit)|pas (?:perime|abime|cassee?|besoin d'ordonnance|besoin)|nta (?:ku)?\\w*gaban\\w*|nta (?:deni|garanti|mwenda)|ntabwo (?:bi|i|zi)?(?:gabanuka|hendutse|hindu\\w+)",
  "(?:can't|cannot|can[ ]not|wouldn't|won't) say (?:that )?(?:we|i) (?:don't|do not) (?:have|sell)(?: it| them| any)?|sinavuga ko nta\\w*(?: \\w+fite)?|peux pas dire (?:que (?:je|nous)|qu'on) n'?\\w* ?\\w* pas|price (?:is |are )?(?:not|isn't) (?:the )?same|nti(?:zi|i|bi|du|tu)?bura|don't know (?:if|whether)[^.,;]*|(?:sais pas|sinzi|sijui) (?:si|niba|kama)[^.,;]*",
  'no (?:stock |supply )?(?:problem|problems|worries|worry|issue|issues|doubt|stress|matter|wahala|need|discount|bargain\\w*|negotiation|refund|receipt|delivery|prescription needed|change)',
  "(?:not|isn't|it's not|aren't) (?:(?:that|too|so|very|really|even) )?(?:expensive|bad|far|much|negotiable|cheap|a problem|less|only|later)",
  "(?:will|would|can) ?not lie|won't lie|can't lie|why not|or not|if not|not sure|don't know|do not know",
  "(?:don't|do not|can't|cannot) (?:worry|hesitate|mind|reduce|deliver|go lower|bargain|miss|forget|do delivery)",
  'no ?(?:one|body) (?:is|sells|has|can|gives)(?=[^.,!]*(?:cheap|better|less|lower|price|beat|fresh))|(?:nobody|no one) (?:else )?(?:has|sells)[^.,]* (?:except|but|apart from) (?:us|me)|nothing beats|(?:can.t|cannot) miss|pas (?:moins|plus) de|nta handi|ntuhangayike|ntimuhangayike',
  '(?:we|i) (?:also )?have (?:a |an |many |another |other |lots of |so many |some )?(?:branch|branches|shop|shops|agent|agents|customers?|clients?|office|stand|question|questions|problem|meeting)',
  "(?:haven't|have not|hasn't|not|didn't|did not) (?:raised|changed|increased|touched)|(?:can't|cannot|won't|will not) (?:find|get|see) (?:it |one |this |them |any )*(?:cheaper|better|lower|for less|anywhere cheaper)",
  'nothing else|no less|no hurry|no rush|no one else|no other|no (?:more|less) than|(?<=\\d )not(?= \\d)|not(?= \\d{3,}(?! ?(?:mg|ml|g|gb|mm)\\b))|not only|no reason|nothing (?:easier|simpler)|rien de plus',
  "(?:not|never|won't|can't|cannot) (?:\\w+ ){0,3}(?:below|under|less than|for less|en dessous|munsi)",
  'pas de (?:souci|soucis|probleme|problemes|livraison|remise|reduction|quoi|monnaie)|pas (?:tres |trop |si )?(?:cher|chere|loin|mal|negociable|grave)|sans (?:probleme|souci)|pourquoi pas|non negociable|pas de reduction',
  "(?:ne )?vous inquietez pas|n'hesitez pas|(?:je )?(?:ne )?sais pas",
  '(?<=\\d\\S* ?[.,!?]* ?)(?:no|non) ?,? ?(?:no|sorry|wait|pardon)|(?:no|non)(?=,? (?:sorry|wait|pardon),? (?:it.s |c.est )?\\d)|(?:non,? )?(?:ce )?n.est pas(?= \\d)|nta\\w* munsi|nta (?:livraison|transport|delivery|garantie|facture)|ne (?:vous |te )?comprends pas|nta gihinduka|no idea|nta kibazo|ntakibazo|nta mpungenge|nta kindi|nta gihe|ntarengwa|(?:ntabwo |nti)(?:i|zi|bi|ya)?(?:henze|henda)|simbizi',
  '(?:he|she|i|they|wife|brother|sister|boss|husband)(?: is|.s|.m| am| are)? (?:in|at) the (?:shop|store)|i know|we know|you know|let you know',
  "(?:don't|do not|can't|cannot|didn't|did not) (?:understand|read|hear|see|remember|recogni[sz]e|get you|be late|waste|disturb|make (?:any |a )?profit)|not (?:bargaining|included|refundable|the cheapest)|(?:warranty|guarantee|garantie|charger|receipt) ?: ?(?:none|no|non)|(?:livraison|transport|pose|tva|carburant|fuel|essence|main d.oeuvre) non (?:compris\\w*|inclus\\w*)",
  "(?:n'ai |ai )?pas (?:bien )?(?:compris|entendu|recu votre)|(?:faut |il ne faut )?pas hesiter|pas (?:moins|plus)(?= ?(?:$|[.,!]))",
  "(?:can't|cannot|don't|do not|won't) (?:sell|give|dispense)(?: it| this| that| them)? without",
  '(?:ntabwo |sin)(?:na?|a)?(?:umv|bis|mv)\\w+|(?:nti|nta|si|sina?|ntabwo )\\w*gaban\\w+|ntakabuza',
  "(?:know|connais|connait) (?:someone|somebody|a guy|a place|a shop|a friend|another|one|where|who|quelqu'un)(?: (?:who|that|qui|else|where|nearby))?(?: (?:has|have|sells?|en a|can|you can)(?: (?:it|them|get it|find it))?)?",
  '(?:do|did) you have|have you|you have|avez[- ]vous|(?:que |si )?vous avez|as[- ]tu|tu as|mufite|ufite',
  '(?:they|he|she|others?|someone|somebody|people) (?:may |might |could |must |should |do |also )?(?:has|have|had|sells?)(?: it| them)?',
  '(?:would|must|should|could) have|(?:don.t|do not|didn.t) have (?:my|your|time|network|airtime|data)|have to|has to|have a (?:good|nice|blessed|great)|have (?:fun|patience)|have been',
  'nzi (?:uyifite|abafite|uzifite|ubifite|aho)|where (?:you|u|to)(?: can)? (?:find|get|buy)(?: it| them| one)?',
]

/** A refusal that the reply itself puts into the past: "it was finished but we restocked". */
export const PAST_REFUSAL: readonly string[] = [
  '(?:was|were|had been|had) (?:finished|out of stock|sold out|over|unavailable|not available|missing)',
  '(?:etait|etaient) (?:fini|finie|epuise|en rupture|indisponible)',
  "(?:we|i) (?:just )?had (?:it|them|some|one|that|those|this)|used to (?:have|sell|stock)(?: it| them)?|avant (?:oui|on|j)|(?:on en|j'en|nous en) (?:avait|avais|avions)|twahoze \\w+|nahoze \\w+|twari \\w*fite|nari \\w*fite",
]

export const REFUSALS: readonly string[] = [
  '(?:too )?short (?:a )?notice|(?:am |i.m )?afraid not|not (?:with us|my (?:line|field|thing)|stocked|even (?:one|a single)|in season|before|until|till|able|any ?more|any longer|available|in stock|here|have|having|at the moment|now|yet|today|possible|anymore|for now|this|sold|there|selling|in the shop|in store|found)|not',
  "(?:we are|we're|i'm|i am|am) (?:all |totally )?out(?! (?:of (?:town|office|the country|kigali)|on|at|for)\\b)",
  'out of (?!town|office|the (?:country|office)|kigali|order|pocket|reach|\\d|use\\b)[a-z]+(?= (?:\\d+ )?(?:now|for now|at the moment|today|since|sorry|sory)|$)|(?:i|we) (?:have )?(?:stopped|avoid|quit)(?= )|en panne|(?:elle|il) est parti[es]?|(?:is|are) out (?:on|until|till|since)|out since|out of (?:stock|it|them|those|that|these)|(?:on )?back ?order\\w*|gave (?:it|them) (?:to|away)|threw|burn(?:t|ed)|took (?:it|them|all)|out of season|wish (?:i|we) could|impossible|too late|trop tard|(?:hasn.t|haven.t|has not|not) (?:come|arrived|been delivered)|(?:avons|ai|a) (?:cesse|arrete)|sold out|run out|running out|finished|long gone|unavailable|out of order|(?:is|are|all|both|got|was|were|it.s|has|have|they.re) (?:already |all |both )?(?:over|gone)|(?:it|they|both|all) went(?! up| down| to| from)|ran (?:out|short)|short of|(?:zero|no|empty) stock|stock (?:is )?(?:zero|empty|over)|quit|withdr[ae]wn?|illegal|paid for (?:it|them) already|already paid for|disappoint\\w*|depleted|exhausted|discontinued|missing|lack of|lacking|no (?:more|longer)|(?:already |all |it was |we |i |have |but |just )sold(?: out| it| them| all| everything)?|no (?:\\w+ )?(?:available|in stock)|stopped (?:selling|making|importing|producing)|on leave|doubt it|spoil(?:ed|t)|expired|never heard|hors stock|y.?en a pas|(?:doesn.t|don.t|does not|do not) allow|off the market',
  "(?:don't|do not|doesn't|does not|didn't|did not|haven't|have not|hasn't|won't|will not|can't|cannot|can[ ]not|couldn't|isn't|aren't|ain't|never) \\w+",
  "don't|haven't|isn't|can't|cannot|(?:do|does|did|have|has|is|are|was) not",
  "(?:was|been|is|are|just|already|got) (?:sold|taken|reserved|booked)|(?:took|bought|sold) the last|reserved(?! (?:one|it|them|some) for you)|booked|reservee?s?|(?:vient|venons|viens) d(?:e |')(?:vendre|etre vendue?)|(?:hard|difficult|impossible) to (?:find|get)|difficile a (?:trouver|avoir)|rare",
  "(?:has been |was |were |been )?(?:recalled|withdrawn|banned)|(?:nobody|no ?one) (?:else )?(?:sells|has|imports|makes)(?: it| them| that)?(?= ?(?:$|[.,!]|any))|(?:were|was|been) (?:all )?taken|tout vendu|tous vendus|toutes vendues|complet jusqu'\\S+|(?:closed|fermed?) (?:the|my|our) (?:pharmacy|shop|business|store)|missed it|waiting for (?:a |the |our |new )?(?:delivery|stock|supplier|container|shipment)|en cherche aussi|wrong shop|(?:not|pas|n'est pas) (?:something (?:we|i) \\w+|(?:notre|mon|our|my) (?:domaine|rayon|metier|specialite|line|field|business))",
  '(?:y|z|by|w|cy|bw|rw)ar?aheze|(?:y|z|by|w|cy|bw|rw)aheze|nti(?:tu|du|n|bi|zi|i|mu)?ki(?:yi|zi|bi|ga|wu)?(?:boneka|gurisha|curuza|gira|kora)\\w*|(?:tw|n)afunze|baherutse \\w+|ba(?:ra)?zitwaye',
  '(?:est|sont|deja) (?:prise?s?|occupee?s?|louee?s?)|(?:under|in) maintenance|en maintenance|broken? down|wapi kabisa|ntawe',
  'my (?:friend|brother|sister|neighbou?r|colleague|boss|cousin) (?:has|have|sells?)|mon (?:ami|frere|voisin|collegue) (?:en )?(?:a|vend)',
  'there (?:is|are) (?:no|none|nothing|not)|have (?:no|none|nothing)|got (?:no|none|nothing)|nothing in stock',
  "n(?:e |')(?:en |l'|y |les? |la )?\\w+ (?:plus|pas)(?! de \\d| qu[e'])|plus de(?= (?!\\d)\\w+[^.,;!\\n]{0,20}(?:$|[,.;!\\n]))",
  "pas (?:de |d')?(?:dispo\\w*|en (?:stock|magasin|boutique)|ici|chez|encore|possible|pour (?:le moment|l'instant)|avant|aujourd'hui|maintenant)|plus du tout|personne n'en (?:a|vend)|a sec|pas d(?:e |')\\w+|n'y en a pas",
  'pas|aucune?s?|rupture|epuisee?s?|indisponible|introuvable|manque|rien|jamais|finie?s?(?! de\\b)|stock (?:fini|epuise|vide|zero)',
  "plus (?:de stock|dispo|disponible|disponibles|en stock|rien|aucun)|(?:n'en|en|n'|n'en n'|y en) (?:ai|a|avons|y a|ont) plus|(?:n'ai|n'a|n'avons|n'y en a|avons|j'ai|on a|j'en ai|on en a|nous en avons|y en a) plus(?! de \\d| qu)|ne (?:vends?|vendons|fais|fait|faisons|reste(?! (?:plus )?qu))|(?:c'est|deja|est) (?:fini|finie|termine|parti)|vendu",
  'ne se \\w+ plus|parti(?:e|s|es)?(?= (?:ce|hier|ce matin|deja|depuis))|(?:agenda|planning|carnet) (?:est )?(?:plein|complet|charge)|(?:agenda|schedule|calendar) is full|desole\\w* (?:non|pas)|navree?s?',
  `(?:si|nti)(?:m|n|tu|du|mu|ba)?${KIN_OBJECT}?fite(?:ho)?|sin(?:yi|zi|bi|gi)?fite|ntabwo|nta(?:yo|zo|byo|cyo|wo|ryo|go|ho|mo|bwo|yi|zi)?`,
  `nti?${KIN_SUBJECT}?(?:ra)?(?:hari|boneka)(?:ho|mo)?|nta(?:ri|zi|bi)?hari`,
  '(?:y|z|by|cy|bw|rw|ry|w|kw|tw|h)a(?:ra)?(?:shize|rangiye|huye)(?:mo|ho)?',
  `(?:n|tw|b)a(?:ra)?${KIN_OBJECT}?gurishije|(?:y|z|by|cy)ara?gurishijwe|(?:y|z|by|cy|b)a(?:ra)?guzwe`,
  `(?:n|tw|h|mw)a(?:ra)?${KIN_OBJECT}?buze(?:mo)?|(?:n|tu|ha|du)rabura|ibura|irabuze|zirabuze|birabuze|yabuze|zabuze|byabuze`,
  `nti(?:tu|n|du|mu)?${KIN_OBJECT}?(?:curuza|gurisha|gira|tugira|bona)|nti(?:bi|zi|i)?shoboka|sin(?:curuza|gurisha|gira|bona)|ntidu\\w+|ntitu\\w+`,
  `(?:y|z|by|cy)agiye|ba(?:ra)?${KIN_OBJECT}?twaye|(?:y|z|by|cy)ara?buze|twategereje|tu${KIN_OBJECT}?heruka(?: kera)?|n${KIN_OBJECT}?heruka(?: kera)?|ntaho|si (?:ibyacu|byo|yo)|sina${KIN_OBJECT}?bona|(?:tw|n)a(?:ra)?${KIN_OBJECT}?maze`,
  // The bare words come last: "no longer available" must not end after its first word.
  "nobody (?:\\w+ ){0,3}(?:has|sells|have)|no ?one (?:\\w+ ){0,3}(?:has|sells)|(?:stopped|quit|ceased|no longer) (?:\\w+ing|order\\w*)|(?:fresh|clean|totally|completely) out|out (?:since|for (?:now|weeks|days|a while))|(?:is |are |all )?full(?= ?(?:$|[.,!;]))|(?:c'est |est )?plein(?= ?(?:$|[.,!;]))|(?:is|are) out(?= ?(?:$|[.,!;]))|sold(?= ?(?:$|[.,!;]))|(?:y|z|by|cy|w|bw|h|rw|ry)a(?:ra)?(?:fashwe|tanzwe|twawe|gurishijwe|kodeshejwe|guzwe)|gahunda (?:z|y)(?:a?ra)?(?:uzuye|zuzuye)|(?:tw|n)a(?:ra)?(?:yi|zi|bi|ya|gi|ki|bu|ru|ri|wu|ha)?(?:tanze|rangije|hejeje)|(?:^|we're |it's |they're )out(?= ?(?:$|[.,!]))|out of (?:the|our|that|this|these|those) (?:\\w+)|nulle part|nowhere|sold (?:yesterday|today|this|last)|came too late|(?:you're|you are) (?:too )?late|(?:viens|vient|venons) de (?:donner|ceder|vendre|liquider)|(?:viens|vient) d'(?:en )?vendre|(?:shelf|shelves|stock|fridge|it)(?: is|'s) empty|closed down|shut down|(?:they|he|she|someone|somebody|customers?|clients?) (?:took|bought) (?:everything|it all|them all|all|it|the)|(?:tw|n)aretse(?: ku\\w+)?|been out|closed for good|permanently closed|ferme definitivement|vendue?s?|(?:c.etait|was) (?:la|le|the|our|my) (?:derniere?|last)(?: (?:one|piece|box))?|not for sale|pas a vendre|(?:was|were) selling|that was last|no (?:chance|way|hope|luck|such)|scarce|shortage|short supply|nil|used up|snapped up|(?:doesn.t|does not|don.t) exist|penurie|a court|termine(?:e|s|es)?|suspendue?|nada|wapi(?= ?(?:$|[.!,]))|ntakigenda|(?:it|they|all|stock) (?:got|was|were) (?:damaged|stolen|broken|lost)|vide|gone(?! up| down| to| out for)|all (?:gone|finished|sold|taken)|cleared out|wiped out|(?<!pour |en |de )plus d'(?!info|un\\b|une\\b|autre)\\w+|on a tout vendu|tout (?:est )?(?:parti|vendu|ecoule)|ecoulee?s?",
  `(?:si|nti)(?:n|m|tu|du)?(?:ki)?${KIN_OBJECT}?(?:curuza|gurisha|gira|kora|fite|bona)(?:ga)?|nta(?:yo|zo|byo|cyo)? tugi\\w+|nti(?:bi|zi|i)?ki(?:boneka|ri\\w*|haba)|(?:y|b)a(?:ra)?${KIN_OBJECT}?(?:twaye|guze)|(?:w|mw)arakererewe|(?:[yzwi]|by|cy|bw|rw|ry|tw)ar?a(?:buze|shize|rangiye|heze)(?:mo|ho)?|(?:tw|n)a${KIN_OBJECT}?maze`,
  "(?:we're|we are|i'm|i am|this is|here is|c'est|nous sommes|on est|je suis|turi) (?:a |an |une? |only )?(?:\\w+ ){0,2}(?:hardware|salon|restaurant|bakery|boutique|supermarket|garage|quincaillerie|coiffeur|tailor|clinic|school|bar|mechanic|electrician|plumber|cosmetics?|electronics?)(?: (?:shop|store|dealers?|only|seulement|not))*",
  'ha(?:i|zi|vi|ki|u|ya|li|wa|tu)ja(?:fika|ingia|ja|kuja|patikana|toka|anza|leta\\w*|pata)|sija(?:pata|leta|nunua)|bado(?! (?:ipo|iko|zipo|ziko|tuna|nina))|hakuna|hapana|ha(?:i|zi|vi|ki|u|ya|li)?(?:po|ko|patikani)|hatuna(?:yo|zo|cho|vyo|lo)?|sina(?:yo|zo|cho|vyo|lo)?|(?:i|zi|vi|ki|u|ya|li)me(?:isha|kwisha|malizika|uzwa|chukuliwa)|hatuuzi|siuzi|hatufanyi|sifanyi|hatupokei',
  'no|non|nope?|nah|naah|zero|oya|hoya|negative|n\\/a|none|nothing|never|neither',
]

/** Words that go with a refusal and are none by themselves. */
export const APOLOGIES: readonly string[] = [
  'sorry|samahani|kwa bahati mbaya|unfortunately|regret|desolee?s?|malheureusement|helas|pole|mwihangane|mutubabarire|mbabarira|mumbabarire|twihanganire',
]

export const OFFERS: readonly string[] = [
  'yes+|yea+h*|yeh|yep+|yup+|yess+ir|sure|surely|of course|ofcourse|certainly|affirmative|absolutely|definitely',
  '(?<=^|[.,!] )(?:correct|exactly)|available|in stock|in store|in the shop|instock|on hand|ready|restocked|at your disposal',
  "(?:we|i)(?: do| still| also| even| just| only| already)? (?:have|got|sell|stock|keep|carry)|(?:i've|we've)(?: (?:still )?got)?(?! (?:just |already |all )?(?:sold|run|ran|been|had|stopped|finished|closed|lost|never|no|none|nothing))|have(?: it| them| some| this| that| one| all| both| plenty| many| enough)?|got (?:it|them|some|one|plenty)|we do(?! not)|i do(?! not)|we got",
  "there (?:is|are)|it's there|it is there|(?:i|we) can (?:get|supply|provide|bring|send|deliver|find|arrange|order|source)|will have (?:it|them)|plenty|left|remaining|in plenty|lots of",
  '(?:you )?(?:can )?come (?:and |to )?(?:pick|collect|take|get|buy|and)|(?:you can|u can) (?:come|pick|get|collect|find)|pick (?:it|them) up',
  'oui|ouais|ouai|ouep|bien sur|bien entendu|dispos?|disponibles?|en stock|en magasin|affirmatif|c.est exact',
  "(?:nous |je |on )?n'(?:avons|ai|a|en ai|en a|en avons) (?:plus )?qu(?:e|')|j'en ai|j'ai|je l'ai|je les ai|on a|on en a|on l'a|on les a|nous avons|nous en avons|nous l'avons|nous les avons|il y en a|y'?en a|il y a|y a|il (?:m'en|nous en|en)? ?reste|il reste",
  '(?:we|i)(?: do| can| also)? (?:fix|repair|supply)',
  'je peux (?:commander|livrer|trouver|fournir|vous)|on peut (?:commander|livrer|trouver|fournir)|vous pouvez (?:passer|venir|prendre)|(?:venez|passez)(?: (?:le |la |les )?(?:prendre|chercher|recuperer|voir))?',
  "(?:n'en |n'|en )?reste (?:plus )?que|plus que \\d+|(?:will|i'll|we'll|can) (?:bring|send|deliver|order) (?:it|them|you|one)|peux (?:le |la |les |l'|en )?(?:faire venir|commander|avoir|trouver|ramener)|(?:tw|n)a(?:yi|zi|bi)?ku?gu\\w+|(?:tw|n)a(?:yi|zi)gu(?!ri)\\w+|nakuzanira|twabazanira|want to sell|(?:i'm|am|we're|are) selling",
  'ok(?:ay)? come|come (?:now|here|anytime|any time|over|quickly)|just come|you are welcome to',
  'avec plaisir|on vous attend|reserved (?:one|it|them|some) for you|(?:i|we) (?:still )?remain with|(?:i|we) charge|(?:i|we) can(?: do(?: it| that| this)?)?(?= ?$)|(?:it.s|c.est) possible|birashoboka|(?:will|i) keep one|on promo\\w*|en promo\\w*',
  `(?:i|zi|bi|ki|bu|u|ri|a)racya(?:hari|boneka)|(?:tu|n)d?racya${KIN_OBJECT}?fite|(?:tu|n)(?:ra|da)cya${KIN_OBJECT}?fite`,
  '(?:i|zi|bi|ki|ri)ri hano|on (?:the )?shel(?:f|ves)|(?:i|we) got|stocked|loads|j.en vends|(?:on|nous) en vend(?:ons)?|en vente|(?:on|je) fai[ts] ca|(?:mu|u)(?:ra|za)?(?:yi|zi|bi)bona|wa(?:yi|zi|bi)bona|(?:nd|tur|tw)abikora|birakorwa|(?:one|two|three|four|five|few|some|\\d+)(?: \\w+)? (?:left|remaining)|en rayon|tout a fait|indeed|iko|ipo|zipo|ndiyo|tunayo|ninayo|tunazo|ninazo|(?:tu|n|m)(?:yi|zi|bi)fite|inapatikana|it is here|they are here|(?:is|are|sont|est) (?:here|la)(?! (?:to|pour|not|qui))|we (?:just )?(?:received|restocked|got) (?:some|it|them|new|more|fresh|stock)|back in stock|de retour en stock|(?:on|nous) (?:vient|venons) (?:d.en |de )recevoir|twazanye|twakiriye',
  'yego|yee|ego|yewe yego|nibyo|rwose|cyane',
  `(?:n|tu|du)(?:da|ra)${KIN_OBJECT}?fite(?:ho)?|nda${KIN_OBJECT}fite(?:ho)?|mfite(?:ho)?|dufite(?:ho)?|nfite`,
  `${KIN_SUBJECT}(?:ra)?hari(?:ho|mo)?|hari|ihari|${KIN_SUBJECT}(?:ra)?boneka|(?:ira|zira|bira)ba (?:i|zi|bi)hari`,
  `(?:n|tu)(?:da|ra)${KIN_OBJECT}?(?:curuza|gurisha)|ducuruza|tugurisha|ncuruza|(?:n|tu)(?:da|ra)${KIN_OBJECT}?gira|ngira|tugira`,
  'muze|mwaza|uze|ngwino|waza|muzaze|uzaze|only \\d+ [a-z]+',
  '(?:i|zi|vi|ki|ya|li)(?:po|ko)|upo|ndiyo|ndio|naam|(?:ni|tu)na(?:yo|zo|cho|vyo|lo|o)?|(?:ni|tu)nauza|(?:i|zi|vi|ki|ya|li|u)napatikana|(?:un|une) seule?|(?:bado|ninayo) (?:ipo|zipo)|tunafanya|ninafanya',
]

/** The vendor is not there: nothing is said about the thing. */
export const AWAY: readonly string[] = [
  "(?:i'm|i am|am|im|we are|we're|he is|she is|they are) (?:currently |now )?(?:not (?:at|in|around|here|there|the|working|home|near|on|open|your|a)\\b|closed|away|out (?:of (?:town|office|the country|kigali)|on|at|for)\\b|travel\\w*|off|busy|driving|in a meeting|at home|sick)",
  '(?:shop|store|boutique|magasin|pharmacie|pharmacy|iduka) (?:is |est |are )?(?:closed|ferme|fermee|irafunze)|on est ferme|nous sommes (?:fermes?|en conge)|je (?:ne )?suis pas (?:au|a|la|le|en|dans|dispo\\w*|proprietaire)|suis pas (?:au|a|la|la-bas|en)',
  '(?:nyir\\w+|boss|shobuja|umukozi|patron) (?:ntahari|adahari|ntawe)|ntawe uhari|(?:boutique|shop|magasin|store|pharmacie|pharmacy) (?:ouvre|opens?|ferme a|closes?)|(?:don.t|no longer|do not) work (?:there|here|with)|(?:we|i) (?:only )?open (?:at|from|on|again)|on ouvre|nous ouvrons|dufungura|sindi (?:ku|mu|i|aho|hano)|ntabwo (?:ndi|turi)|ntituri|turafunze|turacyafunze|hafunze|irafunze|ndi kure|(?:boss|owner|manager|patron|chef|gerant|seller|colleague) (?:is |est |he.s |she.s |ni )?(?:not|n.est|away|out|absent\\w*|off|sick|ntawe|ntahari|adahari)(?: (?:around|here|in|there|pas la|at work))?|(?:can.t|cannot|can[ ]not|couldn.t) (?:talk|speak|text|write|chat|answer|pick)|(?:i|je|he|she|il|elle|boss|patron|chef|owner|manager|collegue|colleague) (?:arrives?|reach|land|comes?|vient|will arrive)|(?:i.ll|i will|i.m|am|will) be (?:at|in|back|there)|on (?:the|a) (?:bus|moto|road|plane|way home)|je suis en (?:route|voiture|reunion|deplacement)|ndatwaye|ndi mu \\w+|(?:i.m|i am|am) at (?:a|an|the|my) \\w+|phone is (?:dying|off|low)|wrong (?:person|number)(?:[,.]? (?:i.m|i am|am|this is|we are|we.re) [^.,]*)?|not my (?:shop|number|business)',
]

/** The vendor wants something before answering: a picture, a prescription, a place. */
export const WANTS: readonly string[] = [
  '(?:please |kindly )?(?:send|share|show|bring)(?: me| us)? (?:the |a |your )?(?:doctor\\S* )?(?:note|paper|prescription|photo|list)|(?:see|need) (?:to see )?the (?:doctor\\S*|medical) (?:paper|note)|(?:numero|number) de serie|serial number|rappelez|call (?:back|tomorrow|later)|envoyez[- ]moi|let.s talk|appel\\w+ (?:moi|nous|au|sur)',
  '(?:please )?(?:call|phone|ring) (?:me|us)(?: please| back)?|appelez[- ](?:moi|nous)|(?:mu|mum|m)?(?:ham|pam)agar[ae]|mbwira|mumbwire',
  '(?:please )?(?:send|share|forward|show|whatsapp)(?: me| us)?(?: the| a| your| its)? (?:photo|picture|pic|image|prescription|location|details?|list|address|name|reference|model)s?',
  '(?:envoyez|envoie|envoyer|montrez|partagez|faites voir)(?:[- ]moi|[- ]nous)?(?: la| le| les| une?| votre)? (?:photo|image|ordonnance|localisation|adresse|liste|details?|modele|nom)s?',
  '(?:mwohereze|ohereza|mwoherereze|nyohereza|mwampa|mumpe)(?: \\w+)? (?:ifoto|urupapuro|aho|liste)|(?:mwohereze|ohereza|nyohereza)\\w*',
  '(?:need|needs|require|requires|with|without|bring) (?:a |the |your )?(?:doctor\\S* )?prescription|(?:we )?only sell with a? ?prescription|(?:sur|avec) ordonnance|(?:sans|without)(?: a)? (?:ordonnance|prescription)[^.,]*|(?:avec|il faut une|besoin d.une) ordonnance|ordonnance (?:obligatoire|svp)|prescription (?:first|please|required)',
]

/** The thing is expected: there is none now. */
export const ARRIVALS: readonly string[] = [
  'expecting(?: a| the| new| our)?|(?:waiting|en attente) (?:for|de|d.)|awaiting|(?:by|before) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|next week|month end|the end of \\w+ \\w+),? (?:i|we)\\b[^.,]*|(?:du|tu|n)tegereje(?: ko)?|turategereje|(?:mu|u)?garuk[ae]\\w*|muzagaruke|uzagaruke|nibwo|(?:i|zi|bi|ki)zaba (?:yaje|zaje|byaje|zageze|yageze|byageze)|back in (?:on|by)|prochain arrivage|next (?:delivery|shipment|batch|supply)|check again|come back (?:on|next|tomorrow)|repasse[rz]?|revene[rz]',
  '(?:make|makes|sew|order|import|produce|build|fabriqu\\w+|command\\w+)(?: \\w+){0,3} (?:in|within|takes?|dans|en) \\d+ (?:days?|weeks?|months?|jours?|semaines?|mois)',
  "(?:it|they|stock|one|some|these|those)(?:'ll| will| shall| should) come|(?:will|we'll|i'll|to|shall|going to) (?:receive|be receiving|restock|arrive|come in|be delivered(?! to (?:you|your))|get (?:it|them|some|more|new)|have new)|new stock|restocking|arriv\\w+|coming|expected|on the way|in transit|on order|supplier (?:delivers|brings|comes)",
  '(?:va|vais|vont|allons|va nous) (?:recevoir|arriver|etre livre\\w*|avoir)|recevrai|recevrons|recevra|on recoit|je recois|nous recevons|arrive(?:ra|nt|ront)?|arrivage|sera (?:livre|disponible|la)|livraison (?:arrive|prevue)|en route|on attend|en commande|approvisionn\\w+|repassez|revenez',
  `${'(?:i|zi|bi|ki|ri|bu|ru|ya)'}za(?:za|boneka|gera|hagera)|(?:n|tu|du)za${KIN_OBJECT}?(?:bona|zana|kira|rangura)|(?:i|zi|bi|ki)zongera(?: \\w+)?|iraza|ziraza|biraza|turayitegereje|turazitegereje`,
  '(?:i|zi|vi|ki|ya|li|u)ta(?:fika|kuja|kuwepo|kuwapo|patikana|kuwa)|(?:tu|ni)tapata(?:yo|zo)?|(?:i|zi|vi)nakuja|jaribu (?:kesho|wiki)',
]

/** Only a variant: whether it is what was asked for, the reply alone does not say. */
export const RESTRICTED: readonly string[] = [
  '(?:just|only)(?: the)? \\d+ ?(?:mg|ml|g|kg|l|gb)|(?:^|[.,] )only (?:the )?\\S+ (?:left|remaining|available|in stock|remains?)',
  "(?<!not )(?:only|just) (?:have|got|sell|stock|deal|keep|carry|do)(?! \\d{1,3} (?!mg|mls?\\b|g\\b|kg|l\\b|mm|gb|w\\b)[a-z]| (?:one|two|three|four|five|a few|few)\\b)|(?:have|got|sell|stock|keep) (?:the |a |an )?(?:\\w+ ){0,3}only(?! (?:\\d|one|two|three|four|five|a few|few|some|a))(?<!(?:one|two|three|four|five|\\d) (?:\\w+ )?only)|(?:n'ai|n'avons|n'a|ai|a|avons|vends|vendons|fait|reste) que(?! (?:d[eu]s? )?(?:\\d{1,3} (?!mg|mls?\\b|g\\b|kg|l\\b|mm|gb|w\\b)[a-z]|une?\\b|deux\\b|trois\\b|quatre\\b))|(?<!\\d|\\df|frw|rwf|frs|francs|k|ordonnance|especes|cash|gros) (?:seulement|uniquement)|(?:dufite|mfite|ndafite) (?!(?:imwe|ebyiri|eshatu|kimwe|kamwe|rimwe|umwe|abiri|bibiri|\\d+)\\b)(?:\\S+ ){0,3}gusa|[a-z]+ (?:type|size|model|brand|version|colou?r)s? only",
]
export const ALTERNATIVES: readonly string[] = [
  'another (?:brand|type|one|model|kind|colou?r|size)|other (?:brand|type|model|kind|colou?r)s?|different (?:brand|type|model|one)|something (?:similar|like|else|close)|similar|equivalent|substitute|alternative|instead(?! of \\d)|same thing|generic|(?:autre|une autre) (?:marque|modele|type)|equivalente?|generique|a la place|ubundi bwoko|indi',
]

/** About money that was paid, not about a price. */
export const PAYMENTS: readonly string[] = [
  "(?:i|we|you|he|she) (?:have )?(?:paid|sent|owe|transferred|deposited|received (?:your|the (?:money|payment)|\\d|payment|money))|(?:your|my|the) (?:balance|debt|change|payment|refund|account)|j'ai (?:paye|envoye|recu)|vous (?:avez paye|devez|me devez)|votre (?:solde|dette|paiement)|nishyuye|wishyuye|umwenda|amafaranga yawe",
]

/** The vendor will look and answer later. */
export const LATER: readonly string[] = [
  '(?:n|tu)(?:za|ra|da)(?:ba|ku|gu)(?:menyesha|bwira|subiza|hamagara|andikira|reb\\w+|bariza)|(?:ndaza|turaza) ku\\w+|ndaza (?:ku)?(?:ba|ku)?\\w+|ngoja|subiri|(?:donnez|donne|laissez|laisse)[- ]moi (?:une? |quelques |\\d+ ?)?(?:min\\w*|instant|moment|temps)|je note|noted|let me (?:reach|get to|go)|(?:once|when) (?:i|we) (?:reach|get|arrive|open)|mu?duhe akanya|(?:we|i) (?:will|shall) (?:reply|respond|answer)|will reply|je vous (?:fais|donne|envoie) (?:un )?(?:retour|reponse|le prix)',
  'let me (?:\\w+ )?(?:call|reach|talk|check|see|confirm|look|ask|find out|verify|first|get back|inquire)',
  "(?:i'll|i will|we will|we'll|i'm|am|will) (?:first )?(?:check|checking|confirm|let you know|get back|revert|tell you|ask|inform|update|call you|verify|write|respond|reply|text|message|answer)(?: you)?(?: (?:when|once|after|later|shortly|soon))?",
  'checking|^later|(?:i will|i.ll|we will|on va) (?:see|voir)|^\\d+ min\\w*$|hold on|one moment|a moment|just a (?:sec\\w*|min\\w*|moment)|give me (?:a |some |\\d+ ?)?(?:sec\\w*|min\\w*|moment|time)|wait(?: for me| a bit| please)?|get back to you|will confirm|to confirm',
  'je vous (?:fais|prepare|envoie) (?:un |le |la |les )?(?:devis|facture|proforma|prix|liste)|(?:i will|i.ll|let me) send (?:you )?(?:the |a )?(?:quote|quotation|invoice|proforma|price list|list)|je (?:vais )?(?:verifie|verifier|regarde|regarder|confirme|confirmer|demande|demander|cherche|reviens|checke?)|je (?:vous|te) (?:reviens|confirme|dis|tiens|redis|rappelle|recontacte|fais signe)|(?:un|une) (?:instant|moment|minute|seconde)|attendez|attends|patientez|on verifie|laissez[- ]moi',
  '(?:ni|tu)ta(?:ku|wa)(?:ambia|julisha|pigia|jibu)|(?:ngoja|subiri)(?: (?:ni|tu)\\w+)?|(?:ni|tu)taangalia|naangalia|ni(?:cheki|angalie|ulize)|je vous envoie la liste\\w*(?: des prix)?|reka (?:n|tu|m)\\w+|ndaje|m?barebere|ndebe|turebe|ndareba|ndaza kureba|mutegereze|tegereza|ndakubwira|ndababwira|ndabamenyesha|mpa (?:iminota|akanya)|mumpe|mbaze|tubaze|ndabaza|akanya gato|ndagusubiza|ndabasubiza|ndaguhamagara|ndabahamagara|ndakwandikira|ndabandikira|je (?:vous|t.) ?(?:ecris|appelle|reponds)|(?:text|write|call|message) me later',
]

/** The vendor is not certain. */
export const HEDGES: readonly string[] = [
  'i think|i guess|i believe|maybe|perhaps|probably|possibly|might|may have|not sure|should have|if (?:we|i) (?:have|get|find)|hopefully',
  'je (?:crois|pense)|peut[- ]etre|probablement|normalement|pas sur|je (?:ne )?sais pas|si (?:on|j)',
  'labda|nadhani|sina uhakika|ngira ngo|wenda|ahari|simbizi|sinzi|don.t know',
]

/** Words with which a question begins. */
export const QUESTIONS: readonly string[] = [
  'what(?:.s)?|which|how (?:many|much)|who|where|when|why(?! not)|do you|did you|are you|is it|can you|could you|have you|is (?:it|this|that) for',
  "quel(?:le)?s?|combien|lequel|laquelle|qui|ou|quand|pourquoi|avez[- ]vous|vous (?:voulez|cherchez|avez besoin|etes)|c'? ?est (?:quoi|pour|combien)|voulez[- ]vous|(?:pouvez|pourriez)[- ]vous (?:me |nous )?(?:preciser|envoyer|dire|donner|confirmer)|precisez|est[- ]ce",
  '(?:z|b|y|m|ry|w)?i?ngahe|angahe|iyihe|izihe|ikihe|ubuhe|ryari|nde|urashaka|ushaka|mushaka|murashaka|mukeneye|ukeneye|uri he|muri he|(?:ya |za )?aina gani|gani|ngapi|unataka|mnataka|unahitaji|lini|wapi|nani',
]

/** Whole replies that say nothing about the thing. */
export const SMALL_TALK =
  /^(?:(?:hi|hello|hey|helo|good (?:morning|afternoon|evening|day)|bonjour|bonsoir|salut|muraho|mwaramutse|mwiriwe|bite|amakuru(?: yawe)?|allo|thanks?|thank you|merci(?: beaucoup)?|murakoze(?: cyane)?|ok(?:ay|ey)?|d'accord|sawa|noted|well received|(?:well )?received(?: with thanks)?|bien recu|wrong number|mauvais numero|faux numero|stop|unsubscribe|arret|hagarika|please|sir|madam|boss|chef|dear|neza|welcome|you're welcome|karibu|who is this|who are you|qui est-ce)[ ,.!?]*)+$/

/** About the conversation, the person or the place, not about the thing. */
export const TALK: readonly string[] = [
  'how are you|how is (?:it|life|the)|amakuru|(?:business|opening|working) hours|leave a message|thank(?:s| you) for (?:contacting|your message|reaching)|dear (?:customers?|clients?)|(?:can|how) (?:may|can) (?:i|we) (?:help|assist)|(?:we are|will be|closed) (?:closed )?for (?:stock|inventory|prayers?|lunch|holiday)|what (?:you|do you) need|say what|tell us|comment (?:allez|ca va)|prices? (?:changes?|varies|vary|depends?)|les prix (?:changent|varient)|ca varie|happy (?:new|birthday|easter|sunday|monday)|god bless|bonne (?:journee|soiree|fete)|group|video|on est ensemble',
  'call (?:me )?(?:on )?(?:\\+?\\d)|(?:husband|wife|boss|colleague|brother|sister|manager) (?:handles|manages|runs|knows)|(?:umekosea|mmekosea|(?:u|mu|mw)ibeshye|mwayobye|wibeshye)(?: (?:namba|nimero|numero))?|vous vous (?:etes )?tromp\\w+|(?:it |that )?depends|tell me|your (?:budget|place|area)|contact(?:ed|ing)?|(?:already )?told you|(?:can|may|could) (?:we|i) help|(?:we |i |shop )?(?:have )?(?:moved|shifted|relocated)|gave you my|try (?:next|another|at|in|with|the)|go to|check (?:there|at|in|with)|ask (?:at|in|the)|have a (?:good|nice|blessed|great) \\w+|(?:be|come) back at|only deal in wholesale|turafunguye|be (?:more )?specific|we.ll see|on verra|tuzareba|mu?tubwire|voice (?:note|message|call)|number changed|(?:changed|new) (?:my )?number|(?:use|call|try) (?:this|that|the) number|attached|website|on (?:the )?phone|(?:send|pay) me \\d+|my number|let (?:me|us) know|repeat|forward(?:ed|ing)? (?:you|this|it|to)|your (?:name|number|address|location)|(?:the|that) price you saw',
  '(?:ca |cela )?depend(?: de| du)|(?:votre|ton|ta) (?:budget|quartier|adresse|numero|nom|position|localisation)|repeter|je (?:vous )?transfere|note vocale|message vocal|(?:nous avons|on a|j.ai) demenage|demenage|(?:puis|peux|pouvons)[- ](?:je|nous) vous aider|je vous (?:l.ai )?deja dit',
  'biterwa|aho (?:uri|muri|uherereye|muherereye)|twimukiye|nimukiye|nimero yanjye|nakubwiye|mwitwa|witwa|(?:mu|u)?vugishe|sinumv\\w+|sinabyumvise|(?:n|tw)umva nabi',
]

/** Questions wherever they stand. */
export const ASKED: readonly string[] = [
  'how (?:many|much)|which (?:one|size|brand|strength|dose|dosage|colou?r|model|type)|what (?:size|brand|strength|dose|dosage|colou?r|model|type|quantity)|combien de|quel(?:le)?s? (?:dosage|dose|taille|marque|couleur|quantite|modele|type)|(?:z|b|y|m|ry|w)?i?ngahe|angahe|iyihe|izihe|ubuhe bwoko',
]
/** These alone are no clear offer in a longer reply. */
export const WEAK_OFFERS =
  /^(?:(?:you )?(?:can )?come (?:and|to)|ready|left|remaining|plenty|there (?:is|are)|correct|exactly|exact|rwose|cyane|nibyo|muze|mwaza|uze|ngwino|waza|muzaze|uzaze|you can \w+|u can \w+|venez|passez|have|y a|il y a|hari|sure|surely)/

// "No idea", "no cream": what there is none of may be another thing.
export const BARE_NO_OF =
  /\b(?:no|non) (?!monsieur|madame|ndugu|mon\b|we|i|it|sorry|desole|navre|merci|dear|sir|boss|madam|my|but|mais|thank|thanks|not|pas|on|nous|je|bro|chef|mama|nta|way)[a-z]+(?! but| (?:today|now|left|available|in|at the moment|here|for now|this))/
// "not", "can't talk", "pas": what they negate may be anything. "Don't have", "not available" and
// "n'en vend pas" are about the thing.
export const OPEN_NEGATION =
  /^(?:(?:do|does|did|have|has|is|are|was|can|will)?(?:n't| ?not)|cannot|never|pas|rien|jamais|(?:don't|do not|doesn't|does not|didn't|did not|haven't|have not|hasn't|won't|will not|can't|cannot|can[ ]not|couldn't|isn't|aren't|ain't|never) (?!(?:have|had|got|sell|sold|stock|keep|carry|do|make|offer|provide|supply|deal|find|get|any|anymore|available|in|here|there|think|help|touch|handle|work|know|exist)\b)\w+|n(?:e |')(?:en |l'|y |les? |la )?(?!(?:ai|as|a|avons|avez|ont|en|vends?|vendons|vend|fais|fait|faisons|font|reste|trouve|trouvons|tiens|tenons|existe|dispose|disposons|ecoule|crois|pense)\b)\w+ (?:plus|pas))$/
/** The vendor has it and will not sell it. */
export const WITHHELD =
  /\b(?:not for sale|pas a vendre|expired|perimee?s?|reserved|booked|(?:can't|cannot) sell|already (?:sold|taken|paid)|(?:de)?ja (?:vendue?|reservee?))\b/
export const MOVEMENT =
  /^(?:arriv\w+|coming|on the way|en route|(?:i|zi|bi|ki)raza|revenez|repassez)$/
export const NAMES_DAY =
  /\b(?:tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next \w+|demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?<!cette )semaine|ejo|ejobundi|kuwa|ku wa|ku cyumweru|kesho|wiki ijayo|mwezi ujao|jumatatu|jumanne|jumatano|alhamisi|ijumaa|jumamosi|jumapili)\b/
export const FUTURE =
  /\b(?:(?:i|zi|bi|ki)za(?:ba|boneka)|will be|shall be|going to be|sera|seront)\b/
export const GREETING =
  /\b(?:help|who|nde|ninde|qui|allo|hello|mbwira|mumbwire|tell me|puis[- ]je|gufasha|gufashe|que desirez|vous desirez|aider)\b|^yes ?\?/
export const BARE_YES =
  /^(?:yes+|yea+h*|yeh|yep+|yup+|oui|ouais|yego|yee|ego|sure|correct|exactly)$/
// Kinyarwanda's negative prefixes: a verb that no list names may deny what the rest offers.
export const NEGATED_VERB =
  /\b(?:nt[iau]|sin(?!c|g|k)|sim(?!p|i|ent)|situ(?!a)|uda|ada|ida|zida|bida|mutari|atari|itari)[a-z]{3,}/
export const PAST =
  /\b(?:had|yesterday|last (?:week|month|year)|ago|hier|avait|avais|avions|ejo hashize|twari|nari)\b/
// "We have closed", "nous avons ferme": an auxiliary, not "have".
export const PERFECT =
  /(?:\bhave|\bhas|'ve) (?:\w{3,}ed|gone|been|lost|given|left|run|taken|thrown)\b|\b(?:avons|ai|a|ont) (?:\w{3,}(?:du|ni|mis|pris)|ferme|change|termine|donne|jete|oublie|cesse|arrete|quitte|demenage|ete)\b/
