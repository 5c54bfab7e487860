import type { ComposedTitle } from './compose-title.ts'
import type { SourceText } from './source-text.ts'

type Pattern = readonly [RegExp, (words: readonly string[]) => string]

const SUPPLIES: Readonly<Record<string, string>> = {
  agua: 'Corte de agua',
  luz: 'Corte de luz',
  gas: 'Corte de gas',
  suministro: 'Corte de suministro',
}

// What is said as a sentence, and noted as a noun: "the water will be shut off", "se cortará el agua".
const PATTERNS: readonly Pattern[] = [
  [
    /(?<!\p{L})(hot water|water|power|electricity|gas|heating|internet)(?: supply)?[^.\n]{0,40}? (?:will|is going to) be[^.\n]{0,20}? (?:shut|turned|switched|cut) ?off/iu,
    ([supply = '']) => `${supply} shut-off`,
  ],
  [
    /(?<!\p{L})(Wasser|Warmwasser|Strom|Gas|Heizung)[^.\n]{0,60}? (?:abgestellt|abgeschaltet|unterbrochen)/u,
    ([supply = '']) => `${supply}abschaltung`,
  ],
  [
    /(?<!\p{L})werden[^.\n]{0,60}? (?:die|der|das) (\p{Lu}\p{L}+)[^.\n]{0,20}? abgelesen/u,
    ([meter = '']) => `Ablesung ${meter}`,
  ],
  [
    /(?<!\p{L})(?:Ihre?|der|die|das) (\p{Lu}\p{L}+)[^.\n]{0,20}? (?:ausgetauscht|gewechselt|erneuert)/u,
    ([part = '']) => `Austausch ${part}`,
  ],
  [
    /(?<!\p{L})(l'eau|l’eau|l'électricité|l’électricité|le gaz|le courant|le chauffage)[^.\n]{0,30}? ser(?:a|ont) (?:coupée?|interrompue?)/iu,
    ([supply = '']) => `Coupure ${supply.replace(/^l(?=['’])/iu, 'd').replace(/^le /iu, 'de ')}`,
  ],
  [
    /(?<!\p{L})se (?:cortará|interrumpirá|suspenderá) (?:el|la) (?:servicio de |suministro de )?(agua|luz|gas|suministro)/iu,
    ([supply = '']) => SUPPLIES[supply.toLowerCase()] ?? `Corte de ${supply}`,
  ],
  [
    /(?<!\p{L})your (?:new )?(\p{L}+(?: \p{L}+)?) (?:will be|is being|is due to be|should be) delivered/iu,
    ([goods = '']) => `${goods} delivery`,
  ],
  [
    /(?<!\p{L})[Ii]hre?n? (\p{Lu}\p{L}+)[^.\n]{0,40}? (?:geliefert|zugestellt)/u,
    ([goods = '']) => `Lieferung ${goods}`,
  ],
  [
    /(?<!\p{L})votre (\p{L}+)[^.\n]{0,30}? (?:sera livrée?|arrive(?:ra)?)/iu,
    ([goods = '']) => `Livraison ${goods}`,
  ],
  [
    /(?<!\p{L})(?:su|tu) (\p{L}+)[^.\n]{0,30}? (?:será entregad[oa]|se entregará|llegará)/iu,
    ([goods = '']) => `Entrega de ${goods}`,
  ],
]

/** Interruptions of a supply and deliveries, which a text mostly says with a verb. */
export function serviceTitles({ text }: SourceText): readonly ComposedTitle[] {
  return PATTERNS.flatMap(([pattern, write]): readonly ComposedTitle[] => {
    const match = pattern.exec(text)
    if (match === null) return []
    const title = write(match.slice(1))
    return [
      {
        start: match.index,
        end: match.index + match[0].length,
        title: title.charAt(0).toUpperCase() + title.slice(1),
        confidence: 0.7,
        manner: 'composed',
      },
    ]
  })
}
