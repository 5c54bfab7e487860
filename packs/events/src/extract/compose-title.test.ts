import { expect, test } from 'vitest'
import { composeTitles } from './compose-title.ts'
import { findLineRoles } from './line-roles.ts'
import { sourceText } from './source-text.ts'

function compose(text: string): readonly string[] {
  const source = sourceText(text)
  return composeTitles(source, findLineRoles(source)).map(({ title }) => title)
}

test.each([
  ['The water will be shut off for repairs on Thursday from 9 AM.', 'Water shut-off'],
  ['AVISO: el lunes se cortará el agua de 9:00 a 13:00.', 'Corte de agua'],
  ["Mardi, l'eau sera coupée de 9h à 12h.", "Coupure d'eau"],
  ['Am Montag wird das Wasser von 8 bis 12 Uhr abgestellt.', 'Wasserabschaltung'],
  ['Se cortará el suministro de agua el lunes de 9 a 12.', 'Corte de agua'],
  [
    'Am Freitag werden in Ihrem Haus die Heizkostenverteiler abgelesen.',
    'Ablesung Heizkostenverteiler',
  ],
  ['Am Dienstag wird Ihr Wasserzähler ausgetauscht.', 'Austausch Wasserzähler'],
  ['Am Montag fährt die Klasse ins Planetarium.', 'Ausflug ins Planetarium'],
  ["Mom's turning 60 on the 5th", "Mom's 60th birthday"],
  ['¡Cumplo 15!\nMorena te espera el sábado', '15 de Morena'],
  ['1. FC KÖLN – FC ST. PAULI\nStadion\nAnstoß 15:30', '1. FC KÖLN – FC ST. PAULI'],
  [
    'Camille et Baptiste ont la joie\nde vous faire part de leur mariage\nle 26 juin',
    'Mariage de Camille et Baptiste',
  ],
  ['Your new sofa will be delivered on Friday.', 'Sofa delivery'],
  [
    'Your appointment with Dr A. Rahman for a treatment on 9 December.',
    'Appointment with Dr A. Rahman',
  ],
])('what "%s" says with a verb is noted as %s', (text, title) => {
  expect(compose(text)).toContain(title)
})

test.each([
  [
    'Your booking: LNER\nOutward  Fri 11 Dec 2026\nLondon Kings Cross  10:30  →  York  12:24\nCoach C, seat 45F',
    'London Kings Cross – York',
  ],
  [
    'Fahrkarte\nHinfahrt Fr, 18.12.2026\nMünchen Hbf  ab 07:46  Gleis 22\nBerlin Hbf  an 11:52  Gleis 3\nICE 1006, Wagen 24, Platz 61',
    'ICE 1006 München Hbf – Berlin Hbf',
  ],
  [
    'Renfe – Billete\nAVE 03103 Madrid-Puerta de Atocha → Barcelona-Sants\nFecha: 02/12/2026\nCoche 5 Plaza 8C',
    'AVE 03103 Madrid-Puerta de Atocha – Barcelona-Sants',
  ],
  [
    'Ihre Reise – Auftrag 7QK3ND\nKöln Hbf  ab 07:48  Gl. 6\nMünchen Hbf  an 12:27  Gl. 22\nICE 513, Wagen 9, Platz 64',
    'ICE 513 nach München Hbf',
  ],
])('the route of a journey: %j', (text, title) => {
  expect(compose(text)).toContain(title)
})
