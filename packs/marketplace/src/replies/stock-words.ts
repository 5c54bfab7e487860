// table
// What vendors write about having a thing and not having it, folded (lower case, no accents). Order
// within a list does not matter. Kinyarwanda's verbs carry subject and object in front of their stem
// ("nda-yi-fite": I have it), so they are patterns over the stem instead of words.

const KIN_OBJECT = '(?:yi|zi|bi|ya|gi|ki|bu|ru|ka|tu|mu|ba|ri|wu|ha|ku)'
const KIN_SUBJECT = '(?:i|zi|bi|a|ki|bu|ru|ri|ya|u|ha|ka|tu|ba|gi)'

/** Phrases with a word of refusal that refuse nothing, and "have" said of others. */
export const NEUTRAL: readonly string[] = [
  'no (?:problem|problems|worries|worry|issue|issues|doubt|stress|matter|wahala|need|discount|bargain\\w*|negotiation|refund|receipt|delivery|prescription needed|change)',
  "(?:not|isn't|it's not|aren't) (?:(?:that|too|so|very|really|even) )?(?:expensive|bad|far|much|negotiable|cheap|a problem|less|only|later)",
  "(?:will|would|can) ?not lie|won't lie|can't lie|why not|or not|if not|not sure|don't know|do not know",
  "(?:don't|do not|can't|cannot) (?:worry|hesitate|mind|reduce|deliver|go lower|bargain|miss|forget|do delivery)",
  'no ?(?:one|body) (?:is|sells|has|can|gives)|nothing beats|(?:can.t|cannot) miss|pas (?:moins|plus) de|nta handi|ntuhangayike|ntimuhangayike',
  '(?:we|i) (?:also )?have (?:a |an |many |another |other |lots of |so many |some )?(?:branch|branches|shop|shops|agent|agents|customers?|clients?|office|stand|question|questions|problem|meeting)',
  "(?:haven't|have not|hasn't|not|didn't|did not) (?:raised|changed|increased|touched)|(?:can't|cannot|won't|will not) (?:find|get|see) (?:it |one |this |them |any )*(?:cheaper|better|lower|for less|anywhere cheaper)",
  'nothing else|no less|no hurry|no rush|no one else|no other',
  'pas de (?:souci|soucis|probleme|problemes|livraison|remise|reduction|quoi|monnaie)|pas (?:tres |trop |si )?(?:cher|chere|loin|mal|negociable|grave)|sans (?:probleme|souci)|pourquoi pas|non negociable|pas de reduction',
  "(?:ne )?vous inquietez pas|n'hesitez pas|(?:je )?(?:ne )?sais pas",
  'nta kibazo|ntakibazo|nta mpungenge|nta kindi|nta gihe|ntarengwa|(?:ntabwo |nti)(?:i|zi|bi|ya)?(?:henze|henda)|simbizi',
  'i know|we know|you know|let you know',
  "(?:know|connais|connait) (?:someone|somebody|a guy|a place|a shop|a friend|another|one|where|who|quelqu'un)(?: (?:who|that|qui|else|where|nearby))?(?: (?:has|have|sells?|en a|can|you can)(?: (?:it|them|get it|find it))?)?",
  '(?:do|did) you have|have you|you have|avez[- ]vous|(?:que |si )?vous avez|as[- ]tu|tu as|mufite|ufite',
  '(?:they|he|she|others?|someone|somebody|people) (?:may |might |could |must |should |do |also )?(?:has|have|had|sells?)(?: it| them)?',
  'would have|have to|has to|have a (?:good|nice|blessed|great)|have (?:fun|patience)|have been',
  'nzi (?:uyifite|abafite|uzifite|ubifite|aho)',
]

/** A refusal that the reply itself puts into the past: "it was finished but we restocked". */
export const PAST_REFUSAL: readonly string[] = [
  '(?:was|were|had been|had) (?:finished|out of stock|sold out|over|unavailable|not available|missing)',
  '(?:etait|etaient) (?:fini|finie|epuise|en rupture|indisponible)',
  "(?:we|i) (?:just )?had (?:it|them|some|one|that|those|this)|used to (?:have|sell|stock)(?: it| them)?|avant (?:oui|on|j)|(?:on en|j'en|nous en) (?:avait|avais|avions)|twahoze \\w+|nahoze \\w+|twari \\w*fite|nari \\w*fite",
]

export const REFUSALS: readonly string[] = [
  'not (?:available|in stock|here|have|having|at the moment|now|yet|today|possible|anymore|for now|this|sold|there|selling|in the shop|in store|found)|not',
  "(?:we are|we're|i'm|i am|am) (?:all |totally )?out(?! (?:of (?:town|office|the country|kigali)|on|at|for)\\b)",
  'out of (?:stock|it)|sold out|ran out|run out|running out|finished|all gone|long gone|is over|unavailable|out of order|depleted|exhausted|discontinued|missing|lack of|lacking|no (?:more|longer)|(?:already |all |it was |we |i |have )sold(?: out| it| them| all| everything)?|no (?:\\w+ )?(?:available|in stock)|stopped selling|off the market',
  "(?:don't|do not|doesn't|does not|didn't|did not|haven't|have not|hasn't|won't|will not|can't|cannot|can[ ]not|couldn't|isn't|aren't|ain't|never) \\w+",
  "don't|haven't|isn't|can't|cannot|(?:do|does|did|have|has|is|are|was) not",
  "(?:was|been|is|are|just|already|got) (?:sold|taken|reserved|booked)|(?:took|bought|sold) the last|reserved|booked|reservee?s?|(?:vient|venons|viens) d(?:e |')(?:vendre|etre vendue?)|(?:hard|difficult|impossible) to (?:find|get)|difficile a (?:trouver|avoir)|rare",
  'my (?:friend|brother|sister|neighbou?r|colleague|boss|cousin) (?:has|have|sells?)|mon (?:ami|frere|voisin|collegue) (?:en )?(?:a|vend)',
  'there (?:is|are) (?:no|none|nothing|not)|have (?:no|none|nothing)|got (?:no|none|nothing)|nothing in stock',
  "n(?:e |')(?:en |l'|y |les? |la )?\\w+ (?:plus|pas)(?! de \\d| que)|plus de(?= (?!\\d)\\w+[^.,;!\\n]{0,20}(?:$|[,.;!\\n]))",
  'pas|aucune?s?|rupture|epuisee?s?|indisponible|introuvable|manque|rien|jamais|finie?s?(?! de\\b)|stock (?:fini|epuise|vide|zero)',
  "plus (?:de stock|dispo|disponible|disponibles|en stock|rien|aucun)|(?:n'en|en|n'|n'en n'|y en) (?:ai|a|avons|y a|ont) plus|(?:n'ai|n'a|n'avons|n'y en a|avons|j'ai|on a|j'en ai|on en a|nous en avons|y en a) plus(?! de \\d)|ne (?:vends?|vendons|fais|fait|faisons|reste)|(?:c'est|deja|est) (?:fini|finie|termine|parti)|vendu",
  `(?:si|nti)(?:m|n|tu|du|mu|ba)?${KIN_OBJECT}?fite(?:ho)?|sin(?:yi|zi|bi|gi)?fite|ntabwo|nta(?:yo|zo|byo|cyo|wo|ryo|go|ho|mo|bwo|yi|zi)?`,
  `nti?${KIN_SUBJECT}?(?:ra)?(?:hari|boneka)(?:ho|mo)?|nta(?:ri|zi|bi)?hari`,
  '(?:y|z|by|cy|bw|rw|ry|w|kw|tw|h)a(?:ra)?(?:shize|rangiye|huye)(?:mo|ho)?',
  `(?:n|tw|b)ara${KIN_OBJECT}?gurishije|(?:y|z|by|cy)ara?gurishijwe|(?:y|z|by|cy|b)a(?:ra)?guzwe`,
  `(?:n|tw|h|mw)a(?:ra)?${KIN_OBJECT}?buze(?:mo)?|(?:n|tu|ha|du)rabura|ibura|irabuze|zirabuze|birabuze|yabuze|zabuze|byabuze`,
  `nti(?:tu|n|du|mu)?${KIN_OBJECT}?(?:curuza|gurisha|gira|tugira|bona)|nti(?:bi|zi|i)?shoboka|sin(?:curuza|gurisha|gira|bona)|ntidu\\w+|ntitu\\w+`,
  // The bare words come last: "no longer available" must not end after its first word.
  'no|non|nope|nah|naah|oya|hoya|negative|n\\/a|none|nothing|never|neither',
]

/** Words that go with a refusal and are none by themselves. */
export const APOLOGIES: readonly string[] = [
  'sorry|unfortunately|regret|desolee?s?|malheureusement|helas|pole|mwihangane|mutubabarire|mbabarira|mumbabarire|twihanganire',
]

export const OFFERS: readonly string[] = [
  'yes+|yea+h*|yeh|yep+|yup+|yess+ir|sure|surely|of course|ofcourse|certainly|affirmative|absolutely|definitely|correct|exactly',
  'available|in stock|in store|in the shop|instock|on hand|ready|restocked|at your disposal',
  "(?:we|i)(?: do| still| also| even| just| only| already)? (?:have|got|sell|stock|keep|carry)|(?:i've|we've)(?: (?:still )?got)?(?! (?:just |already |all )?(?:sold|run|ran|been|had|stopped|finished|closed|lost|never|no|none|nothing))|have(?: it| them| some| this| that| one| all| both| plenty| many| enough)?|got (?:it|them|some|one|plenty)|we do(?! not)|i do(?! not)|we got",
  "there (?:is|are)|it's there|it is there|(?:i|we) can (?:get|supply|provide|bring|send|deliver|find|arrange|order|source)|will have (?:it|them)|plenty|left|remaining|in plenty|lots of",
  '(?:you )?(?:can )?come (?:and |to )?(?:pick|collect|take|get|buy|and)|(?:you can|u can) (?:come|pick|get|collect|find)|pick (?:it|them) up',
  'oui|ouais|ouai|ouep|bien sur|bien entendu|dispos?|disponibles?|en stock|en magasin|affirmatif|exact',
  "(?:nous |je |on )?n'(?:avons|ai|a) que|j'en ai|j'ai|je l'ai|je les ai|on a|on en a|on l'a|on les a|nous avons|nous en avons|nous l'avons|nous les avons|il y en a|y'?en a|il y a|y a|il (?:m'en|nous en|en)? ?reste|il reste",
  'je peux (?:commander|livrer|trouver|fournir|vous)|on peut (?:commander|livrer|trouver|fournir)|vous pouvez (?:passer|venir|prendre)|(?:venez|passez)(?: (?:le |la |les )?(?:prendre|chercher|recuperer|voir))?',
  "(?:n'en |n'|en )?reste (?:plus )?que|plus que \\d+|(?:will|i'll|we'll|can) (?:bring|send|deliver|order) (?:it|them|you|one)|peux (?:le |la |les |l'|en )?(?:faire venir|commander|avoir|trouver|ramener)|(?:tw|n)a(?:yi|zi|bi)?ku?gu\\w+|(?:tw|n)ayigu\\w+|(?:tw|n)azigu\\w+|nakuzanira|twabazanira|want to sell|(?:i'm|am|we're|are) selling",
  'ok(?:ay)? come|come (?:now|here|anytime|any time|over|quickly)|just come|you are welcome to',
  'yego|yee|ego|yewe yego|nibyo|rwose|cyane',
  `(?:n|tu|du)(?:da|ra)${KIN_OBJECT}?fite(?:ho)?|nda${KIN_OBJECT}fite(?:ho)?|mfite(?:ho)?|dufite(?:ho)?|nfite`,
  `${KIN_SUBJECT}(?:ra)?hari(?:ho|mo)?|hari|ihari|${KIN_SUBJECT}(?:ra|za)?boneka|(?:ira|zira|bira)ba (?:i|zi|bi)hari`,
  `(?:n|tu)(?:da|ra)${KIN_OBJECT}?(?:curuza|gurisha)|ducuruza|tugurisha|ncuruza|(?:n|tu)(?:da|ra)${KIN_OBJECT}?gira|ngira|tugira`,
  'muze|mwaza|uze|ngwino|waza|muzaze|uzaze',
]

/** The vendor is not there: nothing is said about the thing. */
export const AWAY: readonly string[] = [
  "(?:i'm|i am|am|im|we are|we're|he is|she is|they are) (?:currently |now )?(?:not (?:at|in|around|here|there|the|working|home|near|able|on|open|your|a)\\b|closed|away|out (?:of (?:town|office|the country|kigali)|on|at|for)\\b|travel\\w*|off|busy|driving|in a meeting|at home|sick)",
  '(?:shop|store|boutique|magasin|pharmacie|pharmacy|iduka) (?:is |est |are )?(?:closed|ferme|fermee|irafunze)|on est ferme|nous sommes (?:fermes?|en conge)|je (?:ne )?suis pas (?:au|a|la|le|en|dans|dispo\\w*|proprietaire)|suis pas (?:au|a|la|la-bas|en)',
  '(?:we|i) (?:only )?open (?:at|from|on|again)|on ouvre|nous ouvrons|dufungura|sindi (?:ku|mu|i|aho|hano)|ntabwo (?:ndi|turi)|ntituri|turafunze|hafunze|irafunze|ndi kure|wrong (?:person|number)|not my (?:shop|number|business)',
]

/** The vendor wants something before answering: a picture, a prescription, a place. */
export const WANTS: readonly string[] = [
  '(?:please )?(?:call|phone|ring) (?:me|us)(?: please| back)?|appelez[- ](?:moi|nous)|(?:mu|mum|m)?(?:ham|pam)agar[ae]|mbwira|mumbwire',
  '(?:please )?(?:send|share|forward|show|whatsapp)(?: me| us)?(?: the| a| your| its)? (?:photo|picture|pic|image|prescription|location|details?|list|address|name|reference|model)s?',
  '(?:envoyez|envoie|envoyer|montrez|partagez)(?:[- ]moi|[- ]nous)?(?: la| le| les| une?| votre)? (?:photo|image|ordonnance|localisation|adresse|liste|details?|modele|nom)s?',
  '(?:mwohereze|ohereza|mwoherereze|nyohereza|mwampa|mumpe)(?: \\w+)? (?:ifoto|urupapuro|aho|liste)|(?:mwohereze|ohereza|nyohereza)\\w*',
  '(?:need|needs|require|requires|with|without|bring) (?:a |the |your )?(?:doctor\\S* )?prescription|(?:sans|without)(?: a)? (?:ordonnance|prescription)[^.,]*|(?:avec|il faut une|besoin d.une) ordonnance|ordonnance (?:obligatoire|svp)|prescription (?:first|please|required)',
]

/** The thing is expected: there is none now. */
export const ARRIVALS: readonly string[] = [
  "(?:will|we'll|i'll|to|shall|going to) (?:receive|be receiving|restock|arrive|come in|be delivered|get (?:it|them|some|more|new)|have new)|new stock|restocking|arriv\\w+|coming|expected|on the way|in transit|on order|supplier (?:delivers|brings|comes)",
  '(?:va|vais|vont|allons|va nous) (?:recevoir|arriver|etre livre\\w*|avoir)|recevrai|recevrons|recevra|on recoit|je recois|nous recevons|arrive(?:ra|nt|ront)?|arrivage|sera (?:livre|disponible|la)|livraison (?:arrive|prevue)|en route|on attend|en commande|approvisionn\\w+|repassez|revenez',
  `${'(?:i|zi|bi|ki|ri|bu|ru|ya)'}za(?:za|boneka|gera|hagera)|(?:n|tu|du)za${KIN_OBJECT}?(?:bona|zana|kira|rangura)|(?:i|zi|bi|ki)zongera(?: \\w+)?|iraza|ziraza|biraza|turayitegereje|turazitegereje`,
]

/** Only a variant: whether it is what was asked for, the reply alone does not say. */
export const RESTRICTED: readonly string[] = [
  "(?:only|just) (?:have|got|sell|stock|deal|keep|carry|do)|(?:have|got|sell|stock|keep) (?:the |a |an )?(?:\\w+ ){0,3}only(?! \\d)|(?:n'ai|n'avons|n'a|ai|a|avons|vends|vendons|fait|reste) que|seulement|uniquement|(?:dufite|mfite|ndafite) (?:\\S+ ){0,3}gusa",
]
export const ALTERNATIVES: readonly string[] = [
  'another (?:brand|type|one|model|kind|colou?r|size)|other (?:brand|type|model|kind|colou?r)s?|different (?:brand|type|model|one)|something (?:similar|like|else|close)|similar|equivalent|substitute|alternative|instead|same thing|generic|(?:autre|une autre) (?:marque|modele|type)|equivalente?|generique|a la place|ubundi bwoko|indi',
]

/** About money that was paid, not about a price. */
export const PAYMENTS: readonly string[] = [
  "(?:i|we|you|he|she) (?:have )?(?:paid|sent|received|owe|transferred|deposited)|(?:your|my|the) (?:balance|debt|change|payment|refund|account)|j'ai (?:paye|envoye|recu)|vous (?:avez paye|devez|me devez)|votre (?:solde|dette|paiement)|nishyuye|wishyuye|umwenda|amafaranga yawe",
]

/** The vendor will look and answer later. */
export const LATER: readonly string[] = [
  'let me (?:\\w+ )?(?:check|see|confirm|look|ask|find out|verify|first|get back|inquire)',
  "(?:i'll|i will|we will|we'll|i'm|am|will) (?:first )?(?:check|checking|confirm|let you know|get back|revert|tell you|ask|inform|update|call you|verify)",
  'checking|hold on|one moment|a moment|just a (?:sec\\w*|min\\w*|moment)|give me (?:a |some |\\d+ ?)?(?:sec\\w*|min\\w*|moment|time)|wait(?: for me| a bit| please)?|get back to you|will confirm|to confirm',
  'je (?:vais )?(?:verifie|verifier|regarde|regarder|confirme|confirmer|demande|demander|cherche|reviens|checke?)|je (?:vous|te) (?:reviens|confirme|dis|tiens|redis|rappelle|recontacte|fais signe)|(?:un|une) (?:instant|moment|minute|seconde)|attendez|attends|patientez|on verifie|laissez[- ]moi',
  'reka (?:n|tu|m)\\w+|ndaje|m?barebere|ndebe|turebe|ndareba|ndaza kureba|mutegereze|tegereza|ndakubwira|ndababwira|ndabamenyesha|mpa (?:iminota|akanya)|mumpe|mbaze|tubaze|ndabaza|akanya gato|ndagusubiza|ndabasubiza',
]

/** The vendor is not certain. */
export const HEDGES: readonly string[] = [
  'i think|i guess|i believe|maybe|perhaps|probably|possibly|might|may have|not sure|should have|if (?:we|i) (?:have|get|find)|hopefully',
  'je (?:crois|pense)|peut[- ]etre|probablement|normalement|pas sur|je (?:ne )?sais pas|si (?:on|j)',
  'ngira ngo|wenda|ahari|birashoboka|simbizi|sinzi|don.t know',
]

/** Words with which a question begins. */
export const QUESTIONS: readonly string[] = [
  'what|which|how (?:many|much)|who|where|when|why|do you|did you|are you|is it|can you|could you|have you',
  "quel(?:le)?s?|combien|lequel|laquelle|qui|ou|quand|pourquoi|avez[- ]vous|vous (?:voulez|cherchez|avez besoin|etes)|c'? ?est (?:quoi|pour|combien)|voulez[- ]vous|est[- ]ce",
  '(?:z|b|y|m|ry|w)?i?ngahe|angahe|iyihe|izihe|ikihe|ubuhe|ryari|nde|urashaka|ushaka|mushaka|murashaka|uri he|muri he',
]

/** Whole replies that say nothing about the thing. */
export const SMALL_TALK =
  /^(?:(?:hi|hello|hey|helo|good (?:morning|afternoon|evening|day)|bonjour|bonsoir|salut|muraho|mwaramutse|mwiriwe|bite|amakuru|thanks?|thank you|merci(?: beaucoup)?|murakoze(?: cyane)?|ok(?:ay|ey)?|d'accord|sawa|noted|well received|(?:well )?received(?: with thanks)?|bien recu|wrong number|mauvais numero|faux numero|stop|unsubscribe|arret|hagarika|please|sir|madam|boss|chef|dear|neza|welcome|you're welcome|karibu|who is this|who are you|qui est-ce)[ ,.!?]*)+$/

/** Questions wherever they stand. */
export const ASKED: readonly string[] = [
  'how (?:many|much)|which (?:one|size|brand|strength|dose|dosage|colou?r|model|type)|what (?:size|brand|strength|dose|dosage|colou?r|model|type|quantity)|combien de|quel(?:le)?s? (?:dosage|dose|taille|marque|couleur|quantite|modele|type)|(?:z|b|y|m|ry|w)?i?ngahe|angahe|iyihe|izihe|ubuhe bwoko',
]
/** These alone are no clear offer in a longer reply. */
export const WEAK_OFFERS =
  /^(?:ready|left|remaining|plenty|there (?:is|are)|correct|exactly|exact|rwose|cyane|nibyo|muze|mwaza|uze|ngwino|waza|muzaze|uzaze|you can \w+|u can \w+|venez|passez|have|y a|il y a|hari|sure|surely)/
