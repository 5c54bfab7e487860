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

// table
// Words that look like a name to the rules and are needed to find a thing: places, makers, and words
// with which needs are written with a capital letter.

export const PLACES: ReadonlySet<string> = new Set(
  `
  rwanda kigali gasabo kicukiro nyarugenge bumbogo gatsata gikomero gisozi jabana jali kacyiru kimihurura kimironko kinyinya
  ndera nduba remera rusororo rutunga gahanga gatenga gikondo kagarama kanombe kigarama masaka niboye nyarugunga gitega kanyinya
  kimisagara mageragere muhima nyakabanda nyamirambo rwezamenyo nyabugogo nyarutarama kibagabaga kabeza kabuga kimicanga sonatubes
  gishushu giporoso gisimenti rebero batsinda zindiro kagugu gacuriro vision biryogo cosmos downtown kiyovu kinamba rwandex
  nyamata bugesera gatsibo kayonza kirehe ngoma nyagatare rwamagana burera gakenke gicumbi musanze rulindo gisagara huye kamonyi
  muhanga nyamagabe nyanza nyaruguru ruhango karongi ngororero nyabihu nyamasheke rubavu rusizi rutsiro gisenyi butare ruhengeri
  gitarama kibuye cyangugu byumba kibungo rwinkwavu musha mukamira mukarange muhororo mukura uganda kampala entebbe jinja mbarara gulu
  burundi bujumbura gitega-burundi ngozi kenya nairobi mombasa kisumu nakuru eldoret thika tanzania dar dodoma arusha mwanza
  zanzibar moshi morogoro congo goma bukavu kinshasa lubumbashi uvira france paris belgium bruxelles dubai china africa afrique
  westlands kilimani karen kibera ntinda kabalagala makindye kariakoo sinza mikocheni ilala kinondoni nyaruguru
  `
    .trim()
    .split(/\s+/),
)

export const THINGS: ReadonlySet<string> = new Set(
  `
  samsung iphone apple huawei tecno infinix itel xiaomi redmi nokia oppo vivo sony lg hp dell lenovo asus acer canon epson toyota
  rav4 corolla hilux vitz honda nissan suzuki mazda mitsubishi mercedes benz bmw audi volkswagen hyundai kia yamaha bajaj tvs boxer
  michelin bridgestone goodyear dunlop bosch makita cimerwa mtn airtel canal dstv startimes inyange nido cerelac nestle cowbell
  coca fanta primus mutzig heineken skol nike adidas puma ikea whatsapp google facebook instagram android windows microsoft office
  playstation xbox hdmi usb led lcd rama mmi mutuelle rssb cogebanque equity bk visa mastercard momo kg gb ram ssd
  bluetooth wifi tv pc laptop januar chanel gucci zara jordan omo vim colgate nivea vaseline pampers always durex dettol
  castrol shell helix quartz jbl casio omron philips moulinex kenwood hisense tcl ariston pedrollo hilti yale vachette ubiquiti
  archer arduino hikvision oraimo macbook airpods playstation ps5 logitech seagate sandisk prado hiace fuso canter
  carina starlet premio forester subaru pajero actros isuzu coaster cruiser faber castell lego duplo bic larousse guigoz nan azam
  akabanga band merlot bordeaux cousins drostdy jameson ciplast ameki sadolin roto pvc pro max mini air classic
  padlock blender router gearbox calculatrice lait peinture farine gouttiere serrure clavier mixeur mathematics curtains lens lenses
  `
    .trim()
    .split(/\s+/),
)

/** Words that begin needs and sentences, in four languages. */
export const COMMON: ReadonlySet<string> = new Set(
  `
  i i'm we need want looking searching please hello hi hey good morning afternoon evening can could do is are where what which how the
  a an my our for in near at around from with and or thanks thank you dear sir madam boss urgent today tomorrow now price cheap best
  new used second hand original generic tablets capsules syrup box boxes pharmacy hospital clinic shop market store school hotel church
  road street avenue house door phone charger car tyre tire battery plumber electrician mechanic tailor carpenter painter cleaner
  je j'ai nous cherche besoin veux voudrais bonjour bonsoir salut svp merci pour pres chez dans avec et ou une un le la les des du de
  mon ma mes notre pharmacie hopital clinique magasin marche ecole hotel eglise maison route rue urgent aujourd'hui demain prix
  ndashaka nshaka ndakeneye nkeneye dukeneye dushaka muraho mwaramutse mwiriwe bite amakuru murakoze hafi ya ku mu i kwa na umuti imiti
  farumasi ibitaro isoko ishuri inzu umuhanda none ejo uyu munsi igiciro mfasha mumfashe nyamuneka ese he hehe ni
  nahitaji natafuta nataka tunahitaji tunatafuta habari jambo mambo asante tafadhali karibu dawa duka soko hospitali shule nyumba
  barabara leo kesho bei nafuu mpya kwa wa ya za na katika mjini hapa wapi nani
  st saint sainte mosque mosquee centre center city mall plaza tower towers gate stadium airport bus park rond point roundabout
  sector district province cell village akagari umurenge akarere
  tzs ugx kes ksh rwf frw usd eur fbu cdf kitambulisho indangamuntu assurance insurance patient file email contact number
  needs wants cherche cherchent voudrait akeneye arashaka anahitaji anatafuta anataka yanyandikiye here ici hapa hano au sur
  urgently quickly someone anyone person people guests personnes watu abantu regards cordialement ordonnance
  monday tuesday wednesday thursday friday saturday sunday lundi mardi mercredi jeudi vendredi samedi dimanche
  january february march april may june july august september october november december
  `
    .trim()
    .split(/\s+/),
)
