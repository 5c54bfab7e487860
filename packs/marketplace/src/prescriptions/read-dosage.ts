/** What a line says about a medicine besides its name. */
export type Dosage = {
  /** As in `500 mg` or `250 mg/5 ml`. */
  readonly strength?: string
  /** As in `tablet`, in English. */
  readonly form?: string
  /** How it is taken, as it is written. */
  readonly dose?: string
  /** As in `7 days`. */
  readonly duration?: string
  /** How many to buy, as in `21 tablets` or `2 boxes`. */
  readonly quantity?: string
}

const UNIT = '(?:mg|mcg|µg|ug|g|ml|iu|ui|%)'
const STRENGTH = new RegExp(
  String.raw`\b(\d+(?:[.,]\d+)?(?: ?\/ ?\d+(?:[.,]\d+)?)? ?${UNIT}(?: ?\/ ?\d* ?(?:ml|mg|g|dose|5ml))?)(?![a-z])`,
  'i',
)
const FORMS: readonly (readonly [string, RegExp])[] = [
  ['tablet', /\b(?:tab(?:let)?s?|comprimes?|cp?s?|cprs?|ibinini|ikinini|caplets?)\b/i],
  ['capsule', /\b(?:cap(?:sule)?s?|gelules?|gel)\b/i],
  ['syrup', /\b(?:syrup|syr|sirop|siro|suspension|susp)\b/i],
  ['injection', /\b(?:inj(?:ection|ectable)?s?|amp(?:oule)?s?|vials?|flacons? inj)\b/i],
  ['cream', /\b(?:cream|creme|ointment|pommade|onguent|lotion)\b/i],
  ['drops', /\b(?:drops?|gouttes?|collyre|eye drops)\b/i],
  ['suppository', /\b(?:supp(?:ositor(?:y|ies))?|suppositoires?|ovules?)\b/i],
  ['inhaler', /\b(?:inhaler|puff(?:s|er)?|aerosol|spray)\b/i],
  ['sachet', /\b(?:sachets?)\b/i],
]
const DURATION =
  /\b(?:for|pendant|pdt|x|durant|mu|during)? ?(\d{1,3}) ?(days?|jours?|jrs?|j|d|weeks?|semaines?|months?|mois|iminsi|\/7|\/52|\/12)\b/i
const DOSES: readonly RegExp[] = [
  /\b\d(?:[.,]5|½)? ?(?:tab(?:let)?s?|caps?|cps?|comprimes?|gelules?|ml|puffs?|drops?|gouttes?|sachets?|spoons?|cuill\w*)? ?(?:x|\*|×|fois) ?\d(?: ?(?:\/ ?(?:j(?:our)?|d(?:ay)?)|(?:times )?(?:a|per) day|par jour|daily|fois par jour|ku munsi))?/i,
  /\b\d ?- ?\d ?- ?\d(?: ?- ?\d)?\b/,
  /\b\d? ?(?:tab(?:let)?s?|caps?|cps?|comprimes?|ml)? ?(?:od|bd|bid|tds|tid|qid|qds|nocte|mane|prn|stat)\b/i,
  /\b(?:once|twice|three times|four times|\d times|\d fois|inshuro \w+)(?: (?:a|per|par|ku))? ?(?:daily|day|jour|munsi)\b/i,
  /\b(?:every|toutes les|chaque|buri) \d{1,2} ?(?:h|hours?|heures?|hrs?|amasaha)\b/i,
  /\b(?:\d ?(?:cp|tab|comprime)s? )?(?:matin|midi|soir|morning|evening|night|mugitondo|nimugoroba)(?:(?:,| et| and| na)? (?:matin|midi|soir|morning|evening|night|noon|nimugoroba))*\b/i,
]
const COUNTED =
  '(?:tab(?:let)?s?|cap(?:sule)?s?|comprimes?|cps?|gelules?|boxes|box|boites?|bottles?|bouteilles?|flacons?|strips?|plaquettes?|packs?|paquets?|tubes?|sachets?|amp(?:oule)?s?|vials?|inhalers?|pcs|pieces|udupaki|amacupa)'
const QUANTITIES: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:#|\bn[°o]\.? ?|\bqty:? ?|\bqte:? ?|\bquantit[ey]:? ?|\bdisp(?:ense)?:? ?) ?(\d{1,3}(?: ?${COUNTED}\b)?)`,
    'i',
  ),
  new RegExp(
    String.raw`\b(\d{1,3} ?${COUNTED})(?! ?(?:x|\*|×|fois|od|bd|bid|tds|tid|qid|qds|prn|nocte|mane|matin|soir|every|toutes|once|twice|three|par jour|a day|per day|daily|in the|\d))\b`,
    'i',
  ),
  /^(?:\d{1,2}[.)] ?)?(\d{1,3}) ?[x×] (?=[a-z])/i,
]

/** The strength, form, dose, duration and quantity in a text about one medicine. */
export function readDosage(text: string): Dosage {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  const strength = STRENGTH.exec(plain)?.[1]
  const rest = strength === undefined ? plain : plain.replace(strength, ' ')
  const quantity = QUANTITIES.map((form) => form.exec(rest)?.[1]).find(
    (found) => found !== undefined,
  )
  const withoutQuantity = quantity === undefined ? rest : rest.replace(quantity, ' ')
  const dose = DOSES.map((form) => form.exec(withoutQuantity)?.[0]).find(
    (found) => found !== undefined,
  )
  const duration = DURATION.exec(
    dose === undefined ? withoutQuantity : withoutQuantity.replace(dose, ' '),
  )
  const form = FORMS.find(([, written]) => written.test(plain))?.[0]
  return {
    ...(strength !== undefined && { strength: tidyStrength(strength) }),
    ...(form !== undefined && { form }),
    ...(dose !== undefined && { dose: dose.trim() }),
    ...(duration !== null && { duration: nameDuration(duration) }),
    ...(quantity !== undefined && { quantity: quantity.trim() }),
  }
}

function tidyStrength(strength: string): string {
  return strength
    .toLowerCase()
    .replace(/ /g, '')
    .replace(',', '.')
    .replace(/(\d)([a-zµ%])/g, '$1 $2')
    .replace(/ug|µg/g, 'mcg')
    .replace('ui', 'iu')
}

function nameDuration([, count = '', unit = '']: RegExpExecArray): string {
  const name = /^(?:w|sem|\/52)/i.test(unit) ? 'week' : /^(?:mo|\/12)/i.test(unit) ? 'month' : 'day'
  return `${count} ${name}${count === '1' ? '' : 's'}`
}
