import { fold } from '@surehand/dates'
import type { Span } from './source-text.ts'
import { capitalize, tidy } from './title-sentences.ts'

// table of words that a person does not write before a title in a calendar, folded
const BEFORE_TITLE =
  /^(?:(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miercoles|jueves|viernes|doch|yo(?=\s+l[ea]\s)|aye|tios|tias|wey|al\s+final|final(?=\s+(?:el|la)\s)|endlich\s+wieder|endlich|vuelve|vuelven|nochmal|omg|little(?=\s\p{Ll})|small(?=\s\p{Ll})|quick(?=\s\p{Ll})|nearly|soy|it's|terminbestatigung(?=\s\p{L})|confirmacion(?=\s\p{L}))\s+|(?:please\s+|just\s+)?(?:(?:le\s+|les\s+|vi\s+|ti\s+|te\s+|wij\s+u\s+aan\s+|hierbij\s+)?(?:ricordiamo|recordamos|recuerdo|confirmo|confirmamos|confermiamo|confirmons|rappelons|bestatigen|herinneren)|confirming|confirmation\s+of|bestatigung|confirmacion\s+de|confirmation\s+de)\s+|(?:your|our|my|their|its|his|her|loro|son|sa|ses|this\s+year's|diesjahrige[rns]?|ihre?[nmrs]?|unsere?[nmrs]?|meine?[nmrs]?|eure?[nmrs]?|deine?[nmrs]?|votre|vos|notre|nos|mon|ma|mes|su|sus|nuestr[oa]s?|mi|tu|vuestr[oa]s?|nossa?|nosso|seu|sua|il\s+vostro|la\s+vostra|il\s+nostro|la\s+nostra|suo|sua|uw|onze?|je|a|an|ein|eine|einen|einem|einer|un|une|una|uma?|een|the|der|die|das|den|dem|le|la|les|el|los|las|il|lo|gli|de|het|o|os|as)\s+|l'\s?|(?:rescheduled|postponed|moved|verschoben|reporte|aplazad[oa]|confirmed|re|aw|wg|fwd?|tr|rv|reminder|erinnerung|rappel|recordatorio|promemoria|lembrete|herinnering|invitation|einladung|invitacion|invito|convite|uitnodiging|save\s+the\s+date|updated|update|neu|new|heads-?up|fyi|notice|avis|aviso|achtung|hinweis)\s*[:!–—-]+\s*|(?:ihnen|dir|euch|uns|ragazzi|oigan|oye|guys|folks|leute|chic[oa]s)\s*,?\s+|(?:team|hij[oa]|bro|mates?|everyone|les\s+gars)\s*,\s+|(?:wegen|due\s+to|concerne|this|diese[rmns]?|este|esta|cette|dear\s+\p{L}+:\s)\s*)/u
const ARTICLE = /^(?:the|der|die|das|le|la|les|el|los|las|il|lo|gli|de|het|o|os|as|a|an|l')\s*$/u
const SIGNS =
  /^(?:[\s\p{Extended_Pictographic}\p{Emoji_Modifier}*_#~<>|:;,.·•–—«„“”"'©®-]|\ufe0f|\u200d)+/u
const SIGNS_BEHIND =
  /(?:[\s\p{Extended_Pictographic}\p{Emoji_Modifier}*_#~<>|:;,.·•–—?!-]|\ufe0f|\u200d)+$/u
const BEHIND_TITLE =
  /\s(?:originally|(?:moved|pushed|postponed)\s+again|again|this\s+(?:year|week|month|time|weekend)|diese[sn]?\s+(?:jahr|woche|monat)|cette\s+(?:annee|semaine|fois)|est[ea]\s+(?:ano|semana|vez)|c'(?:est)?|ce|cet|cette|ist\s+fix|fix|ist|vamos|retoma|trage|wieder|sold\s+out|ausverkauft|complet|agotad[oa]s?|schedule|date\s+confirmed|cuando|wann|quand|bestatigt\s+✓|✓|dra?|mrs?|ms|sra?|prof|el\s+dia|le\s+jour|il\s+giorno|verschoben|abgesagt|verlegt|postponed|cancell?ed|rescheduled|moved|reporte[es]*|annule[es]*|decale[es]*|aplazad[oa]|cancelad[oa]|proxim[oa]|prochaine?|nachste[rns]?|next|this|diesen|chez|bei|from|by|com|notice|reminder|invitation|confirmation|confirmed|update|details|bestatigt|confirmee?|confirmad[oa]|agreed|returns|tonight|tomorrow|today|is|are|on|at|am|um|im|le|el|de|the|der|die|and|und|et|y|to|for|mit|with|avec|con|op|il|a|en|in|na|no|di|do|du|nel|della|del|voor|vom|zum|zur|op\s+\p{L}{2}|para|pour|fur|per|voor|sobre|uber|about|of|(?:bitten|laden|lade)\s+(?:wir|ich)(?:\s+(?:sie|euch|dich))?)$/u

const NEXT =
  /^(?:nachste[rns]?|next|upcoming|prochaine?|proxim[oa]|volgende|prossim[oa]|kommende[rns]?|diesjahrige[rns]?)\s+(?=\p{L})/u

/** The title as a person writes it in a calendar, and where it stands. */
export function trimTitle(
  whole: string,
  { start, end }: Span,
): readonly (Span & { readonly title: string })[] {
  // "Interview invitation - Logistics Officer"
  let title = tidy(whole).replace(
    /\s(?:invitation|confirmation|reminder|notice)(?=\s[–—-]\s)/iu,
    '',
  )
  for (let before = ''; before !== title; ) {
    before = title
    title = title.replace(SIGNS, '')
    const lead = BEFORE_TITLE.exec(fold(title))
    // "The Rusty Hinges", "AS Caluire": what is written like a name is part of it.
    const isName =
      /^\p{Lu}{2}/u.test(title) ||
      (lead !== null && ARTICLE.test(lead[0]) && /^\p{Lu}/u.test(title))
    if (lead !== null && !isName && lead[0].length < title.length)
      title = title.slice(lead[0].length)
    title = title.replace(SIGNS_BEHIND, '')
    const tail = BEHIND_TITLE.exec(fold(title))
    // "What Octopuses Dream Of"
    const isWritten = tail !== null && /^\s\p{Lu}\p{Ll}{1,3}$/u.test(title.slice(tail.index))
    if (tail !== null && !isWritten) title = title.slice(0, tail.index)
    title = withoutOpenSigns(title)
  }
  const next = NEXT.exec(fold(title))?.[0].length ?? 0
  return [...(next === 0 ? [] : [title.slice(next)]), title].map((one) => {
    const at = whole.indexOf(one)
    // What was composed or tidied is no longer a part of the text.
    return at < 0 || end - start !== whole.length
      ? { title: capitalize(one), start, end }
      : { title: capitalize(one), start: start + at, end: start + at + one.length }
  })
}

/** Without a bracket or a quotation mark that has no partner. */
function withoutOpenSigns(title: string): string {
  const open = title.includes('(') !== title.includes(')')
  const quoted = (title.match(/["„“”«»]/gu) ?? []).length === 1
  return (quoted ? title.replace(/["„“”«»]/gu, '') : title)
    .replace(open ? /[()]/g : /$^/, '')
    .trim()
}
