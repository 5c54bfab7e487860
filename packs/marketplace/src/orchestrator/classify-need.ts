import { isMedicineWord } from '../prescriptions/medicine-words.ts'

// What people ask for, by the category that sells it. English, French and Kinyarwanda, without
// accents. A need that fits none is asked back.
const WORDS: Readonly<Record<string, RegExp>> = {
  pharmacy:
    /\b(?:\d+\s?mg|tablets?|capsules?|syrup|sirop|comprimes?|gelules?|ointment|pommade|medicines?|medicaments?|imiti|umuti|pharmacy|pharmacie|farumasi|vaccine|insulin|bandages?|prescription|ordonnance)\b/,
  electronics:
    /\b(?:phones?|telefoni|telephones?|laptops?|ordinateurs?|mudasobwa|chargers?|chargeurs?|sharijeri|tv|television|televiziyo|radio|battery|batterie|headphones?|ecouteurs|camera|usb|electronics?|printer|imprimante|iphone|samsung|tecno)\b/,
  hardware:
    /\b(?:cement|ciment|sima|nails?|clous|imisumari|paint|peinture|irangi|tiles?|carreaux|hammer|marteau|inyundo|pipes?|tuyaux?|iron sheets?|toles?|amabati|wire|cables?|locks?|serrure|wood|bois|timber|hardware|quincaillerie|drill|perceuse|screws?|vis)\b/,
  groceries:
    /\b(?:rice|riz|umuceri|beans|haricots|ibishyimbo|sugar|sucre|isukari|milk|lait|amata|oil|huile|amavuta|flour|farine|ifu|tomatoes|tomates|inyanya|potatoes|pommes de terre|ibirayi|bananas?|bananes|imineke|eggs|oeufs|amagi|meat|viande|inyama|bread|pain|umugati|groceries|epicerie|water|eau|amazi)\b/,
  clothing:
    /\b(?:shoes?|chaussures?|inkweto|shirts?|chemises?|ishati|dress|robe|ikanzu|trousers|pantalon|ipantaro|jeans|jacket|veste|kitenge|igitenge|fabric|tissu|clothes|vetements|imyenda|uniform|uniforme)\b/,
  auto_parts:
    /\b(?:tyres?|tires?|pneus?|amapine|ipine|brakes?|freins?|feri|car battery|spare parts?|pieces? (?:de rechange|auto)|engine oil|huile moteur|filter|filtre|headlight|phare|bumper|pare-chocs|moto parts|toyota|rav4|corolla)\b/,
  stationery:
    /\b(?:notebooks?|cahiers?|amakaye|ikaye|pens?|stylos?|ikaramu|paper|papier|impapuro|books?|livres?|ibitabo|igitabo|printing|impression|toner|stationery|papeterie|ruler|regle)\b/,
  furniture:
    /\b(?:tables?|chairs?|chaises?|intebe|ameza|beds?|lits?|uburiri|igitanda|sofas?|canape|wardrobe|armoire|mattress|matelas|matela|furniture|meubles?|desk|bureau)\b/,
}

/** The category that sells what is needed; undefined where it is not clear. */
export function classifyNeed(need: string): string | undefined {
  const text = need.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const hits = Object.entries(WORDS)
    .map(([category, pattern]) => ({
      category,
      count: [...text.matchAll(new RegExp(pattern, 'g'))].length,
    }))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
  if (text.split(/[^a-z0-9-]+/).some((word) => word.length > 3 && isMedicineWord(word)))
    return 'pharmacy'
  return hits[0]?.category
}
