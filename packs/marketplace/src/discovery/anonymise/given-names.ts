// table
// Given names and surnames that are common in Rwanda, Burundi, Uganda, Kenya, Tanzania and eastern
// Congo, without accents. Names that are also words of a need ("grace", "pascal", "rose") are in
// AMBIGUOUS_NAMES: they are removed only where a cue or another name stands beside them.

export const NAMES: ReadonlySet<string> = new Set(
  `
  abdallah abdul abdulaziz abel abdou achieng adam adela adeline adija adolphe adrien aggrey agnes aime aimable
  aimee aisha akello akinyi alain albert albertine alex alexandre alexis alfred ali alice aline alinda alphonse
  alphonsine amani amina amos anastase anastasie andre anet anette angela angele angelique anita anitha annick
  annonciata anselme anthony antoine antoinette apollinaire ariane aristide arlette armand armel arnaud arsene
  asha assumpta atieno augustin aurore ayebare aziza balthazar baraka barnabe beatha beatrice belise bella bella-grace
  benigne benjamin benoit bernadette bernard bertin bertrand bienvenu bonaventure boniface brenda brigitte brian
  byiringiro callixte carine caroline cassien catherine cecile celestin celine cesar chantal charles charlotte chebet
  cheptoo cherop chris christella christelle christian christine christophe clarisse claude claudette claudia claudine
  clement clementine cleophas colette concilie consolee constance constantin consolata cynthia cyprien cyriaque cyrille
  dancille daniel danielle daphrose dative david delphine denis denise desire deborah deogratias derrick diana diane
  didace didier dieudonne dinah divine domina dominique donata donatha donatien donath doreen dorcas edith edmond edouard
  edson edward elias elie elisabeth elise elizabeth ella eloi elvis emelyne emerance emery emile emilie emma emmanuel
  enock epiphanie ephrem eric erick ernest ernestine esperance espoir esther etienne eugene eugenie eustache evariste
  evelyne evode fabien fabiola fabrice fatima fatuma faustin faustine felicien felicite felix ferdinand fidele fils
  flavia flavien florence florent florida florien florian fortunee francine francois francoise frank fred frederic
  furaha gabriel gaelle gakuba gakwaya gasana gaspard gatera gatete gaudence gedeon geoffrey georgette georges
  gerald gerard germaine gervais ghislain ghislaine gilbert gilberte gisele gloriose godelieve goretti gratien
  gregoire guillaume gustave hadija hakim halima hamad hamida hamisi hamza hassan hawa hellen henri henriette herve
  hilaire hildegarde honore hortense husna hussein hyacinthe ibrahim ida ignace ildephonse imelda immaculee innocente
  irene isaac isabelle ismael israel issa ivan jabo jackie jackline jacky jackson jacob jacqueline jacques jado jamila
  jane janet janvier janviere japhet jean jeanette jeanine jeanne jeannette jeannine jeremie jerome jessica joan joanna
  joas joel john johnson jolie joseline joselyne joseph josephine josette josiane josue judith jules julien julienne
  juliet juliette juliana julius juma jumanne justin justine juvenal kabera kabano kabanda kabuye kagabo kagame kalisa
  kamali kamana kamanzi kamau kamikazi kanyamanza kanyana karake karangwa karasira karekezi karemera karenzi
  karungi kassim katabarwa kato kavutse kayigamba kayihura kayiranga kayirangwa kayitare kayitesi kayonga kevin khadija
  kibet kimani kiprono kiplagat kipchumba kwizera lambert laurence laurent laurien leandre leatitia leocadie leon
  leonard leonce leonie leonidas liberata lilian liliane lionel louis louise lucie lucien lucienne ludovic luc
  lydia lydie madeleine magambo makena manasse manirakiza manzi marcel marceline margaret marguerite maria marian marianne
  marie mariam mariamu marie-claire marie-louise mariette marius marlene martha martin martine mary mathias mathieu mathilde
  matthieu maurice maxime mbabazi mbarushimana mechack mediatrice melanie mercy michel michelle mireille modeste
  mohamed mohammed monique moses mugabe mugabo mugenzi muhire muhirwa muhoza mukasa mukiza muneza musa musabe mushi musoke
  mustafa mutabazi mutesi mutimura mutoni mwajuma mwamba mwangi mwanaidi mwema mwiza mwizerwa nadege nadia nadine naima
  nakato nakitto nalwoga namara namukasa nansubuga naomi narcisse nassir natacha nathalie nathan nduwayo nduwimana neema
  nelly nestor nicodeme nicolas nicole njeri njoroge noel noella norbert nyambura nyamvura obed ochieng octave odette
  odile odhiambo okello olive olivier omar omari omondi oscar osee otieno otto pacifique pascaline patricia patrick patrice
  paul paula paulette paulin pauline peruth peter petronille philbert philippe philomene pie pierre placide placidie
  polycarpe prosper prudence rachel rachid raissa ramadhan ramadhani rashid raymond rebecca rebero regina regine
  rehema remy renate rene richard rita robert roberto roger rosalie rosette rosine rukundo ruth rutayisire rwabukwisi
  rwema sabine said saidi salama salim salma salome salomon salvator samson samuel samy sandra sandrine sara sarah
  saidat scholastique sebastien seif selemani sematama seraphine serge severin shadia shaban shakira sharif sharon sheila
  shema simeon simon simone sifa solange soline sonia sophie stella stephane stephanie steve steven straton sultan
  suzan suzanne sylvain sylvere sylvestre sylvie tabitha tatiana teddy telesphore teta thacien thadee theobald theodore
  theogene theoneste theophile theophila theresa therese thierry thomas tite tito umar umuhoza umulisa umurerwa umurungi
  umutesi umutoni umwali umwiza urbain uwase valens valentin valentine valerie vanessa vedaste venant venantie venuste vestine
  veronique viateur victoire victor vincent virginie viviane wambui wangari wangui wanjiku wanjiru wasswa wilson xavier
  alan albertina allan andrew angeline ann anna anne beth betty caleb carol collins daudi dennis donald douglas duncan edwin eliud
  eunice evans ezekiel fiona george gladys gordon harriet helen henry hillary james janice jeff jennifer joshua kelvin ken
  kenneth laban lawrence lewis linda lucy luke mark matthew michael michelline mike millicent mose nancy nelson nicholas
  phoebe philip purity ronald samantha stephen susan timothy titus tom tony walter wendy william winnie zachary
  yannick yassin yohana yolande yusuf yvan yves yvette yvonne zainabu zainab zakia zawadi zephanie zuberi zuhura zura
  `
    .trim()
    .split(/\s+/),
)

export const AMBIGUOUS_NAMES: ReadonlySet<string> = new Set(
  `
  angel blessing bonheur bosco brave carmel charity chance christ clever confiance dada daddy delice dieu divin eden
  faith fidel fiston flora fortune gad gentil gift gloire gloria goodluck grace happy hope honorine innocent iris isimbi
  janvier joie jolly joy joyce julie justice keza king lea lucky magnifique maurice merci moise nice nina noah olga
  parfait pascal patience paix peace prince princesse promise queen rose ruby sauveur sage sam scovia soleil success
  tina toussaint trinity vanilla victory viola violette yvonne zoe ganza ineza ishimwe gisa hirwa igihozo ingabire
  iradukunda kaliza kirezi manzi mugisha ndoli nshuti rugwiro shami sano tona
  `
    .trim()
    .split(/\s+/),
)

/**
 * Kinyarwanda and Kirundi surnames are sentences about God, strength or birth, so they are many and
 * share their beginnings and ends: Hakizimana, Niyonsenga, Uwimana, Mukandayisenga.
 */
export const SURNAME_FORMS: readonly RegExp[] = [
  /^(?:haki|habi|haba|haga|haje|hari|hate|hita|ndahi|ndayi|ndaya|ndagiji|ndiku|ndori|niyi|niyo|niyi|nizey|nkuru|nku[nb]|nsab|nseng|nshimi|nshuti?y|ntaki|ntawu|ntaga|ntiru|ntir|nyiran|nyira|nyand|nzab|nzey|nzam)[a-z]{3,}$/,
  /^(?:uwi|uwa|uwe|uwu|umuk|umug|umuh|umut|uwimb|uwiz|uwint)[a-z]{3,}(?:a|e|i|ye|za|na|se|we)$/,
  /^(?:muka|mukan|mukam|mukar|mukas|mukag|mukab|mukah|mukesh|munya|munye|mureka|mureke|muni|musabi|musabye|mushimi|mutuye|muvuny|mbony|mbabar|mban[yz])[a-z]{3,}$/,
  /^(?:twagira|twizey|twahirwa|tuyi|tuyis|tuyiz|turatsinze|turikumwe|dusabi|dusabe|dusengi|dushim|dukuz|duhuz)[a-z]{2,}$/,
  /^(?:bizi|bigiri|bikorim|bimenyi|bavugi|baziru|bara[kn]|barig|barany|sibo|sebag|sebah|sekama|seny|semuc|sindayi|singira|simbi|shirimp|rutag|rutik|rwaga|rwig|rugem|rugw|ruge[rn]|kabayi|kanam|kankindi|kanyan?|karuran|kayumb|gahong|gakur|gasas|gashum|gasim|gatab)[a-z]{2,}$/,
  /^[a-z]{2,}(?:imana|imane|iyumva|isenga|iyimana|igaba|iragaba|ishaka|iyaremye|aremye|iyonzima|onzima|isaba|ishimiye|imfura|iragena|zimana|rwanda|kundwa|shimye|tanga(?:ze)?)$/,
]
