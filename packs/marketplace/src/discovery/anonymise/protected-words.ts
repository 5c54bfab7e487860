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
