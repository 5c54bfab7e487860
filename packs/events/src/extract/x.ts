import { extractEvent } from './extract-event.ts'
import { flyer } from './fixtures/flyer.ts'

const o = { now: Date.parse('2026-11-18T09:00:00Z'), timeZone: 'Europe/Berlin' }
const show = (d: ReturnType<typeof extractEvent>) =>
  console.log(
    `   T=${d.event.title} (${d.confidence.title})  W=${d.event.startTime} > ${d.event.endTime} (${d.confidence.date}/${d.confidence.time}) P=${d.event.location?.name} | ${d.event.location?.address} (${d.confidence.place}) €=${d.price?.text} alt=${JSON.stringify(d.alternatives)}`,
  )
for (const text of [
  "Save the date: Maria & Tom's Wedding, June 12 2027, 2pm, St. Mary's Church",
  "Vous êtes invités à l'Anniversaire de Claire le samedi 5 décembre à 19h chez Claire",
  "L'atelier de poterie aura lieu le 2 décembre à 14h à la Maison des Arts",
])
  show(extractEvent({ text }, o))
show(
  extractEvent(
    {
      lines: flyer(
        [14, 'Kulturverein Nord presents'],
        [60, 'MIDNIGHT'],
        [58, 'ORCHESTRA'],
        [26, 'Saturday 5 December 2026'],
        [26, 'Doors 7pm · Show 8pm'],
        [22, 'Old Mill Theatre'],
        [16, '12 King Street, London'],
        [14, 'Tickets £15 · on sale from 20 November'],
        [12, 'www.midnight-orchestra.example.com  Tel 020 7946 0018'],
      ),
    },
    o,
  ),
)
show(
  extractEvent(
    {
      lines: flyer(
        [50, 'Herbstkonzert'],
        [20, 'des Musikvereins Lindau'],
        [24, 'Samstag, 12. Dezember'],
        [20, 'Einlass 18.30 Uhr – Beginn 19.30 Uhr'],
        [20, 'Stadthalle Lindau'],
        [16, 'Seestraße 4, 88131 Lindau'],
        [14, 'Eintritt: 12 € / ermäßigt 8 €'],
        [12, 'Vorverkauf ab 1. Dezember: Buchhandlung Kern, Mo–Fr 9–18 Uhr'],
      ),
    },
    o,
  ),
)
show(extractEvent({ lines: flyer([20, 'Open studio'], [20, 'Saturday 5 December'], [20, 'Gallery North'], [20, 'Live music']) }, o))
show(extractEvent({ lines: flyer([60, 'Open studio'], [20, 'Saturday 5 December'], [20, 'Gallery North'], [20, 'Live music']) }, o))
