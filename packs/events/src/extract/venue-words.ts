// table of words for venues, folded
export const VENUE =
  /(?<!\p{L})(?:hall|halls|theatre|theater|club|bar|pub|cafe|coffee ?house|museum|park|church|chapel|cathedral|library|arena|stadium|centre|center|gallery|studio|studios|school|university|college|campus|hotel|restaurant|bistro|bakery|brewery|garden|gardens|house|barn|square|market ?hall|cinema|warehouse|lounge|tavern|inn|court|room|rooms|auditorium|pavilion|beach|farm|community cent(?:re|er)|town hall|city hall|opera|ballroom|bookshop|bookstore|amphitheatre|dome|pier|wharf|dock|docks|yard|tower|mill|heim|vereinsheim|portal|halle|saal|theater|museum|bibliothek|bucherei|kirche|kapelle|dom|schloss|burg|haus|keller|garten|buhne|schule|uni|universitat|gasthaus|gasthof|wirtshaus|kneipe|biergarten|stadion|platz|zentrum|atelier|galerie|werkstatt|hof|scheune|kino|oper|philharmonie|rathaus|markthalle|turm|forum|salle|theatre|musee|eglise|chapelle|cathedrale|bibliotheque|mediatheque|parc|place|maison|espace|centre|chateau|jardin|ecole|librairie|brasserie|taverne|stade|gymnase|mairie|halles?|hangar|ferme|cour|cave|quai|foyer|opera|auditorium|sala|teatro|museo|iglesia|capilla|catedral|biblioteca|plaza|parque|centro|casa|castillo|jardin|jardines|escuela|universidad|libreria|taberna|bodega|estadio|polideportivo|ayuntamiento|mercado|nave|finca|patio|auditorio|palacio|cine|azotea|terraza|ateneo|cafeteria|galeria|taller|residenz|campus|pavillon|kulturzentrum|gemeindehaus|burgerhaus|stadthalle|festhalle|konzerthaus|schauspielhaus|jazzkeller|\p{L}{3,}(?:halle|haus|saal|theater|museum|kirche|schloss|keller|garten|buhne|schule|platz|park|hof|zentrum|club|cafe|kino|bad|turm|stadion|werk|fabrik|speicher|scheune|kapelle|heim|stube|laden|hutte|bibliothek|bucherei|galerie|arena|forum|burg|brauerei|house))(?!\p{L})/u

const STREET_WORD = `street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|way|square|sq|place|pl|court|ct|terrace|row|quay|parkway|highway`
/** A street with a number, or a postal code with its town. */
export const ADDRESS = new RegExp(
  [
    // 12 King Street, London
    String.raw`(?<![\p{L}\p{N}])\d{1,5}[a-z]?\s+(?:(?:north|south|east|west|n|s|e|w)\.?\s+)?(?:[\p{L}.'-]{1,40}\s+){1,4}(?:${STREET_WORD})\b\.?`,
    // Hauptstraße 12, Am Markt 3, Marienplatz 5
    String.raw`(?<!\p{L})(?:[\p{L}.-]{1,40}[ -])?\p{L}{0,30}(?:strasse|stra(?:ß|ss)e|str\.|gasse|weg|allee|platz|ufer|damm|ring|markt|berg|steig|chaussee|promenade)\s+\d{1,4}\s?[a-z]?(?!\p{L}|\d|[:.]\d)`,
    // 12 rue de la Paix
    String.raw`(?<![\p{L}\p{N}])\d{1,4}(?:\s?(?:bis|ter))?,?\s+(?:rue|avenue|av\.|boulevard|bd|place|quai|impasse|allee|chemin|route|cours|passage|square|esplanade)\s+[\p{L}'. -]{2,40}`,
    // Calle Mayor 12, C/ Mayor, 12
    String.raw`(?<!\p{L})(?:calle|c\/|avenida|avda\.?|av\.|plaza|pza\.?|paseo|ronda|camino|carrera|travesia|carrer|gran via)\s*(?:de\s+(?:la\s+|los\s+|las\s+)?|del\s+)?[\p{L}'. ]{2,40}?,?\s+(?:n[ºo°]\.?\s?)?\d{1,4}(?!\d|[:.]\d)`,
    // 80331 München
    String.raw`(?<![\p{L}\p{N}])\d{5}\s+\p{L}[\p{L}. -]{2,30}`,
  ]
    .join('|')
    // An address does not span lines.
    .replaceAll('\\s', '[^\\S\\n]'),
  'gu',
)
