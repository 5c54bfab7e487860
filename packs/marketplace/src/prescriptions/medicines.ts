// table
// Names of medicines that pharmacies in East Africa sell: the generic name, then brand names and
// other spellings (French, British, American). Names only; nothing here says what a medicine is for.

const LIST = `
amoxicillin: amoxicilline, amoxil, amoxyl, clamoxyl, novamox, mox, amoxicap
amoxicillin/clavulanic acid: augmentin, amoxiclav, co-amoxiclav, coamoxiclav, clavam, curam, clavulin, amoxicilline acide clavulanique, clavox
ampicillin: ampicilline, penbritin, totapen
ampicillin/cloxacillin: ampiclox, ampicloxa
cloxacillin: cloxacilline, orbenin, orbenine
flucloxacillin: flucloxacilline, floxapen
phenoxymethylpenicillin: penicillin v, penicilline v, pen v, oracilline
benzathine benzylpenicillin: extencilline, penadur, benzathine penicillin
benzylpenicillin: penicillin g, penicilline g
cefalexin: cephalexin, cefalexine, keflex, sporidex
cefadroxil: oracefal, duricef
cefuroxime: zinnat, cefurox
cefixime: suprax, cefspan, oroken, taxim
cefpodoxime: orelox, cefodox
ceftriaxone: rocephin, rocephine, triaxone
cefotaxime: claforan
azithromycin: azithromycine, zithromax, azuma, zaha, azithral, azimax
erythromycin: erythromycine, erythrocin, ery
clarithromycin: clarithromycine, klaricid, zeclar
doxycycline: vibramycin, vibramycine, doxylin, doxycap
tetracycline: tetracyn
ciprofloxacin: ciprofloxacine, cipro, ciproxin, ciflox, cifran
levofloxacin: levofloxacine, tavanic, levaquin
ofloxacin: ofloxacine, oflocet
norfloxacin: norfloxacine, noroxin
metronidazole: metronidazol, flagyl, metrogyl
tinidazole: fasigyn, fasigyne, tinizol
secnidazole: secnidal, flagentyl
nitrofurantoin: nitrofurantoine, macrobid, furadantin, furadantine
sulfamethoxazole/trimethoprim: cotrimoxazole, co-trimoxazole, bactrim, septrin, eusaprim, cotrim
gentamicin: gentamycin, gentamicine, genticyn, gentalline
chloramphenicol: chloramphenicole, chloromycetin
clindamycin: clindamycine, dalacin, dalacine
fusidic acid: acide fusidique, fucidin, fucidine
mupirocin: mupirocine, bactroban
neomycin: neomycine
nystatin: nystatine, mycostatin, mycostatine
fluconazole: diflucan, fluconazol, flucoral
clotrimazole: canesten, clotrimazol, candid
ketoconazole: nizoral, ketoderm
miconazole: daktarin, daktacort
terbinafine: lamisil
griseofulvin: griseofulvine, grisefuline
itraconazole: sporanox
aciclovir: acyclovir, zovirax
valaciclovir: valacyclovir, valtrex, zelitrex
oseltamivir: tamiflu
artemether/lumefantrine: coartem, lumartem, artemether lumefantrine, artefan, lonart, co-artem
artesunate: artesun, artesunat, larinate
dihydroartemisinin/piperaquine: duo-cotecxin, duocotecxin, eurartesim, p-alaxin
quinine: quinimax, quinine sulphate
sulfadoxine/pyrimethamine: fansidar, orodar
chloroquine: nivaquine
atovaquone/proguanil: malarone
mefloquine: lariam
albendazole: zentel, alben, albendazol
mebendazole: vermox, wormin, mebendazol
praziquantel: biltricide
ivermectin: ivermectine, mectizan, stromectol
levamisole: ketrax
niclosamide: yomesan
paracetamol: acetaminophen, panadol, doliprane, efferalgan, dafalgan, calpol, tylenol, hedex
ibuprofen: ibuprofene, brufen, nurofen, advil, ibugesic
diclofenac: voltaren, voltarene, diclo, cataflam, diclofenac sodium, diclopar
naproxen: naproxene, naprosyn
indomethacin: indometacin, indometacine, indocid
mefenamic acid: acide mefenamique, ponstan, ponstyl
meloxicam: mobic
piroxicam: feldene
ketoprofen: ketoprofene, profenid
celecoxib: celebrex
aceclofenac: airtal
acetylsalicylic acid: aspirin, aspirine, aspegic, disprin, cardioaspirin, junior aspirin
tramadol: tramal, contramal, topalgic
codeine: codeine phosphate
morphine: morphine sulphate
diclofenac/paracetamol: dynapar
ibuprofen/paracetamol: combiflam, ibumol, brustan
hyoscine butylbromide: buscopan, butylscopolamine
phloroglucinol: spasfon
drotaverine: no-spa, nospa
omeprazole: losec, mopral, omez
esomeprazole: nexium, inexium, esomac
pantoprazole: pantoloc, inipomp, eupantol
lansoprazole: lanzor, ogast
rabeprazole: pariet
ranitidine: zantac, azantac
famotidine: pepcid
cimetidine: tagamet
aluminium hydroxide/magnesium hydroxide: maalox, relcer, actal, gelusil
alginic acid: gaviscon
metoclopramide: primperan, plasil, maxolon
domperidone: motilium, vomistop
ondansetron: zofran, emeset
loperamide: imodium
oral rehydration salts: ors, sro, oral rehydration salt
zinc sulfate: zinc sulphate, zinc, pedzinc, sulfate de zinc
lactulose: duphalac
bisacodyl: dulcolax
senna: senokot
simethicone: simeticone
metformin: metformine, glucophage, glucomet
glibenclamide: daonil, glyburide
gliclazide: diamicron
glimepiride: amaryl, amarel
sitagliptin: sitagliptine, januvia
vildagliptin: galvus
insulin: insuline, mixtard, actrapid, lantus, humulin, novorapid
amlodipine: amlor, norvasc, amlodac
nifedipine: adalat, adalate
losartan: cozaar, losar
valsartan: diovan, tareg
telmisartan: micardis
irbesartan: aprovel
enalapril: renitec
captopril: capoten, lopril
lisinopril: zestril
ramipril: triatec, tritace
perindopril: coversyl
atenolol: tenormin, tenormine
bisoprolol: concor, cardensiel
propranolol: inderal, avlocardyl
carvedilol: dilatrend, kredex
metoprolol: betaloc, seloken
methyldopa: aldomet
hydralazine: apresoline
hydrochlorothiazide: esidrex, hctz, hydrodiuril
furosemide: lasix, frusemide, lasilix
spironolactone: aldactone
indapamide: natrilix, fludex
digoxin: digoxine, lanoxin
warfarin: warfarine, coumadin, coumadine
clopidogrel: plavix
enoxaparin: enoxaparine, clexane, lovenox
atorvastatin: atorvastatine, lipitor, tahor
simvastatin: simvastatine, zocor
rosuvastatin: rosuvastatine, crestor
salbutamol: ventolin, ventoline, albuterol, asthalin
beclometasone: beclomethasone, becotide, qvar
budesonide: pulmicort
budesonide/formoterol: symbicort
fluticasone: flixotide, flonase
salmeterol/fluticasone: seretide
ipratropium: atrovent
aminophylline: aminophylin
theophylline: theostat
montelukast: singulair
prednisolone: prednisolon, solupred, predsol
prednisone: cortancyl
dexamethasone: dexametasone, decadron
hydrocortisone: cortef
betamethasone: betametasone, betnovate, diprosone, celestene
clobetasol: dermovate
methylprednisolone: solumedrol, medrol
chlorphenamine: chlorpheniramine, piriton, chlorphenamin
cetirizine: zyrtec, cetrine, cetirizin
levocetirizine: xyzal
loratadine: claritin, clarityne, claritine
desloratadine: aerius
fexofenadine: telfast, allegra
promethazine: phenergan, prometazine
hydroxyzine: atarax
dextromethorphan: benylin
ambroxol: mucosolvan, surbronc
bromhexine: bisolvon
acetylcysteine: mucomyst, fluimucil
carbocisteine: rhinathiol, carbocysteine
xylometazoline: otrivin, otrivine
oxymetazoline: afrin, nasivion
ferrous sulfate: ferrous sulphate, iron sulphate, tardyferon, feospan, sulfate ferreux
ferrous sulfate/folic acid: fefol, iron folic
folic acid: acide folique, foldine
vitamin b complex: vitamine b complexe, b complex, becosules, vitamin b-complex
pyridoxine: vitamin b6, vitamine b6
thiamine: vitamin b1, vitamine b1
cyanocobalamin: vitamin b12, vitamine b12, neurobion
ascorbic acid: vitamin c, vitamine c, acide ascorbique
cholecalciferol: vitamin d3, vitamine d, vitamine d3
retinol: vitamin a, vitamine a
calcium carbonate: calcium, calcimax, caltrate
multivitamin: multivitamine, multivitamins, supradyn
levothyroxine: thyroxine, euthyrox, levothyrox, eltroxin
carbimazole: neo-mercazole, neomercazole
levonorgestrel: postinor, norlevo, p2
ethinylestradiol/levonorgestrel: microgynon, microlut
medroxyprogesterone: depo-provera, depoprovera
norethisterone: primolut
misoprostol: cytotec
oxytocin: ocytocine, syntocinon
clomifene: clomiphene, clomid
progesterone: utrogestan
sildenafil: viagra
tamsulosin: tamsulosine, josir, omix
finasteride: proscar
diazepam: valium
lorazepam: ativan, temesta
phenobarbital: phenobarbitone, gardenal
carbamazepine: tegretol
sodium valproate: valproate, valproic acid, depakine, epilim, acide valproique
phenytoin: phenytoine, epanutin, dihydan
lamotrigine: lamictal
levetiracetam: keppra
amitriptyline: laroxyl, tryptizol
fluoxetine: prozac
sertraline: zoloft
haloperidol: haldol
chlorpromazine: largactil
risperidone: risperdal
olanzapine: zyprexa
gabapentin: gabapentine, neurontin
pregabalin: pregabaline, lyrica
allopurinol: zyloric
colchicine: colchimax
methotrexate: methotrexat
hydroxychloroquine: plaquenil
tenofovir/lamivudine/dolutegravir: tld
tenofovir/lamivudine/efavirenz: tle
abacavir/lamivudine: kivexa
dolutegravir: tivicay
nevirapine: viramune
rifampicin: rifampin, rifampicine, rimactane
isoniazid: isoniazide, inh, rimifon
ethambutol: myambutol
pyrazinamide: pirilene
permethrin: permethrine, lyclear
benzyl benzoate: ascabiol, benzoate de benzyle
calamine: calamine lotion
silver sulfadiazine: flamazine, silvadene, sulfadiazine argentique
povidone iodine: betadine, polyvidone iodee
hydrogen peroxide: eau oxygenee
timolol: timoptol
tobramycin: tobramycine, tobrex
dexamethasone/tobramycin: tobradex
ciprofloxacin/dexamethasone: ciprodex
latanoprost: xalatan
artificial tears: tears naturale
tranexamic acid: acide tranexamique, exacyl
vitamin k: vitamine k, phytomenadione, konakion
ergometrine: methergin
sodium chloride: normal saline, serum physiologique
glucose: dextrose
`

export type Medicine = {
  /** The generic name; a combination has its parts joined by "/". */
  readonly name: string
  /** The name itself, brand names and other spellings, folded. */
  readonly spellings: readonly string[]
}

/** Medicines by generic name. */
export const MEDICINES: readonly Medicine[] = LIST.trim()
  .split('\n')
  .map((line) => {
    const [name = '', others = ''] = line.split(':')
    const spellings = [name, ...others.split(',')].map((spelling) => spelling.trim())
    return { name: name.trim(), spellings: spellings.filter((spelling) => spelling !== '') }
  })
