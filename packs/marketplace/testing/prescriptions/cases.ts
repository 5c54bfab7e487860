import { seededRandom } from '@surehand/testing'
import type { Look, PrescriptionCase } from './case.ts'

type Line = readonly [written: string, medicine: string]

// Names as doctors and clients in East Africa write them, with the generic name of each.
const LINES: readonly Line[] = [
  ['Amoxicillin 500mg caps 1x3/day for 7 days #21', 'amoxicillin'],
  ['Amoxicilline 250mg/5ml sirop 5 ml x 3/jour', 'amoxicillin'],
  ['Augmentin 1g 1 cp matin et soir pendant 7 jours', 'amoxicillin/clavulanic acid'],
  ['Paracetamol 500mg tabs 2 tabs tds 5 days', 'paracetamol'],
  ['Doliprane 1000 mg 1 boite', 'paracetamol'],
  ['Ibuprofen 400mg tabs 1x3/day 5 days', 'ibuprofen'],
  ['Diclofenac 50mg tabs bd 5 days', 'diclofenac'],
  ['Ciprofloxacin 500mg tabs bd 7 days #14', 'ciprofloxacin'],
  ['Metronidazole 400mg tabs tds 7 days', 'metronidazole'],
  ['Flagyl 250mg comprimés 2x3/jour', 'metronidazole'],
  ['Azithromycin 500mg tabs od 3 days', 'azithromycin'],
  ['Coartem 20/120mg 1 box', 'artemether/lumefantrine'],
  ['Doxycycline 100mg caps bd 7 days', 'doxycycline'],
  ['Bactrim 960mg tabs bd 5 days', 'sulfamethoxazole/trimethoprim'],
  ['Omeprazole 20mg caps od 14 days', 'omeprazole'],
  ['Amlodipine 5mg tabs od 30 days #30', 'amlodipine'],
  ['Losartan 50mg tabs od 30 days', 'losartan'],
  ['Hydrochlorothiazide 25mg tabs od', 'hydrochlorothiazide'],
  ['Metformin 850mg tabs bd 60 tabs', 'metformin'],
  ['Glibenclamide 5mg tabs od', 'glibenclamide'],
  ['Prednisolone 5mg tabs 1-0-1', 'prednisolone'],
  ['Prednisone 20mg comprimés 1 matin', 'prednisone'],
  ['Cetirizine 10mg tabs nocte', 'cetirizine'],
  ['Salbutamol inhaler 2 puffs prn', 'salbutamol'],
  ['Cefixime 400mg tabs od 7 days', 'cefixime'],
  ['Cefuroxime 500mg tabs bd 7 days', 'cefuroxime'],
  ['Clotrimazole cream 1 tube', 'clotrimazole'],
  ['Albendazole 400mg tab stat', 'albendazole'],
  ['Ferrous sulphate 200mg tabs od', 'ferrous sulfate'],
  ['Folic acid 5mg tabs od', 'folic acid'],
  ['Buscopan 10mg tabs tds', 'hyoscine butylbromide'],
  ['ORS 5 sachets', 'oral rehydration salts'],
  ['Zinc sulphate 20mg tabs od 10 days', 'zinc sulfate'],
  ['Furosemide 40mg tabs od', 'furosemide'],
  ['Carbamazepine 200mg tabs bd', 'carbamazepine'],
]
// Real names that the list does not contain, each close to one that it does.
const UNLISTED: readonly Line[] = [
  ['Cefaclor 250mg caps tds 7 days', 'cefaclor'],
  ['Amiloride 5mg tabs od', 'amiloride'],
  ['Chlordiazepoxide 10mg caps', 'chlordiazepoxide'],
  ['Clonazepam 2mg tabs nocte', 'clonazepam'],
  ['Cefditoren 200mg tabs bd', 'cefditoren'],
  ['Nimodipine 30mg tabs', 'nimodipine'],
  ['Azathioprine 50mg tabs od', 'azathioprine'],
  ['Lornoxicam 8mg tabs bd', 'lornoxicam'],
]
const HEADS: readonly (readonly string[])[] = [
  ['Remera Health Centre', 'Date: 12/11/2026', 'Patient: M. U.', 'Rx'],
  ['Clinique La Paix', 'Ordonnance', 'Kigali, le 10/11/2026'],
  ['Dr. K. Mugabe', 'Tel 0788 000 000', 'Prescription'],
  ['To buy at the pharmacy'],
]
const LOOKS: readonly Look[] = [
  { font: 'sans', degrees: 0, noise: 0 },
  { font: 'serif', degrees: 0, noise: 0 },
  { font: 'sans', degrees: 1.5, noise: 1 },
  { font: 'serif', degrees: -2, noise: 1 },
  { font: 'sans', degrees: -3, noise: 2 },
  { font: 'hand', degrees: 0, noise: 0 },
  { font: 'hand', degrees: 2, noise: 1 },
  { font: 'scrawl', degrees: 0, noise: 1 },
]

/** Forty prescriptions and lists, five of each look; always the same ones. */
export function makePrescriptionCases(count = 40): readonly PrescriptionCase[] {
  const random = seededRandom('prescriptions')
  return Array.from({ length: count }, (_, at) => {
    const look = LOOKS[at % LOOKS.length] as Look
    const chosen = [
      ...random.shuffle(LINES).slice(0, random.whole(2, 4)),
      ...(random.is(0.4) ? [random.pick(UNLISTED)] : []),
    ]
    const written = random
      .shuffle(chosen)
      .map(([text], position) => (at % 3 === 0 ? `${position + 1}. ${text}` : text))
    return {
      id: `${at}-${look.font}-${look.noise}`,
      look,
      lines: [...random.pick(HEADS), ...written],
      medicines: chosen.map(([, name]) => name),
    }
  })
}
