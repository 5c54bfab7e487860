// table
import type { Language } from './intent.ts'

/** What the planner says. Short: it is spoken. */
export type Phrases = {
  readonly searching: (query: string) => string
  readonly found: (count: number, first: string) => string
  readonly nothing: (query: string) => string
  readonly adding: (quantity: number, title: string) => string
  readonly added: (quantity: number, name: string, total: string) => string
  readonly whichProduct: string
  readonly cart: (lines: string, total: string) => string
  readonly emptyCart: string
  readonly changed: (total: string) => string
  readonly checkingOut: string
  readonly readBack: (asks: string) => string
  readonly ordered: (order: string, total: string) => string
  readonly pay: (order: string) => string
  readonly paid: (order: string) => string
  readonly notPaid: (order: string) => string
  readonly lookingForSlots: string
  readonly whichDay: (what: string) => string
  readonly noSlot: (what: string) => string
  readonly booked: (title: string, start: string, code: string) => string
  readonly cancelled: (fee: string) => string
  readonly noBooking: string
  readonly heading: (place: string) => string
  readonly suggestions: string
  readonly person: (how: string | undefined) => string
  readonly help: string
  readonly notUnderstood: string
  readonly failed: (why: string) => string
  /** At once, while a model thinks. */
  readonly working: string
  readonly lostPage: (path: string) => string
  readonly tryingPage: (path: string, other: string) => string
}

export const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    searching: (query) => `Looking for ${query}…`,
    found: (count, first) =>
      count === 1 ? `I found ${first}.` : `I found ${count} things. The best is ${first}.`,
    nothing: (query) => `I found nothing for “${query}”. Try other words, or ask for a person.`,
    adding: (quantity, title) => `Adding ${quantity} × ${title}…`,
    added: (quantity, name, total) =>
      `${quantity} × ${name} is in your cart. The total is ${total}.`,
    whichProduct: 'Which product do you mean? Tell me what to look for.',
    cart: (lines, total) => `In your cart: ${lines}. The total is ${total}.`,
    emptyCart: 'Your cart is empty.',
    changed: (total) => `Done. The total is ${total} now.`,
    checkingOut: 'Going to the checkout…',
    readBack: (asks) => `${asks} Please answer yes or no, or use the buttons.`,
    ordered: (order, total) => `Thank you. The order ${order} over ${total} is placed.`,
    pay: (order) =>
      `The order ${order} is placed. I open the page of the shop where you pay; I never see your card.`,
    paid: (order) => `Thank you, the order ${order} is paid.`,
    notPaid: (order) => `The order ${order} was cancelled without a payment.`,
    lookingForSlots: 'Looking for free times…',
    whichDay: (what) =>
      what === '' ? 'For which day?' : `On which day would you like the ${what}?`,
    noSlot: (what) =>
      `There is no free time for ${what || 'that'} then. Shall I look at another day?`,
    booked: (title, start, code) => `${title} on ${start} is booked. The code is ${code}.`,
    cancelled: (fee) => `The booking is cancelled. It costs ${fee}.`,
    noBooking: 'I know of no booking in this visit.',
    heading: (place) => `Heading to ${place}…`,
    suggestions: 'You could look at these:',
    person: (how) =>
      how === undefined
        ? 'I have told the people of the shop. They will get in touch.'
        : `I have told the people of the shop. You can also reach them here: ${how}`,
    help: 'I can search, fill the cart, check out, and book appointments. For example: “find red roses under 40, add two, check out”.',
    notUnderstood:
      'I did not understand that. I can search, fill the cart, check out and book appointments.',
    failed: (why) => `That did not work: ${why}`,
    working: 'One moment…',
    lostPage: (path) => `I couldn’t open ${path}. Where else shall I go?`,
    tryingPage: (path, other) => `I couldn’t open ${path} — trying ${other}.`,
  },
  de: {
    searching: (query) => `Ich suche ${query} …`,
    found: (count, first) =>
      count === 1
        ? `Ich habe ${first} gefunden.`
        : `Ich habe ${count} Treffer. Der beste ist ${first}.`,
    nothing: (query) =>
      `Zu „${query}“ habe ich nichts gefunden. Versuchen Sie andere Wörter, oder fragen Sie nach einem Menschen.`,
    adding: (quantity, title) => `Ich lege ${quantity} × ${title} in den Warenkorb …`,
    added: (quantity, name, total) =>
      `${quantity} × ${name} ist im Warenkorb. Die Summe ist ${total}.`,
    whichProduct: 'Welches Produkt meinen Sie? Sagen Sie mir, wonach ich suchen soll.',
    cart: (lines, total) => `Im Warenkorb: ${lines}. Die Summe ist ${total}.`,
    emptyCart: 'Ihr Warenkorb ist leer.',
    changed: (total) => `Erledigt. Die Summe ist jetzt ${total}.`,
    checkingOut: 'Ich gehe zur Kasse …',
    readBack: (asks) => `${asks} Bitte sagen Sie ja oder nein, oder nutzen Sie die Knöpfe.`,
    ordered: (order, total) => `Danke. Die Bestellung ${order} über ${total} ist aufgegeben.`,
    pay: (order) =>
      `Die Bestellung ${order} ist aufgegeben. Ich öffne die Seite des Ladens, auf der Sie bezahlen; Ihre Karte sehe ich nie.`,
    paid: (order) => `Danke, die Bestellung ${order} ist bezahlt.`,
    notPaid: (order) => `Die Bestellung ${order} wurde ohne Zahlung storniert.`,
    lookingForSlots: 'Ich suche freie Zeiten …',
    whichDay: (what) => (what === '' ? 'Für welchen Tag?' : `An welchem Tag (${what})?`),
    noSlot: (what) =>
      `Dann ist ${what === '' ? 'nichts' : `für ${what} nichts`} frei. Soll ich an einem anderen Tag suchen?`,
    booked: (title, start, code) => `${title} am ${start} ist gebucht. Der Code ist ${code}.`,
    cancelled: (fee) => `Der Termin ist storniert. Das kostet ${fee}.`,
    noBooking: 'Ich kenne keine Buchung aus diesem Besuch.',
    heading: (place) => `Ich öffne ${place} …`,
    suggestions: 'Das könnte Sie interessieren:',
    person: (how) =>
      how === undefined
        ? 'Ich habe dem Laden Bescheid gesagt. Man meldet sich bei Ihnen.'
        : `Ich habe dem Laden Bescheid gesagt. Sie erreichen ihn auch hier: ${how}`,
    help: 'Ich kann suchen, den Warenkorb füllen, bestellen und Termine buchen. Zum Beispiel: „Suche rote Rosen unter 40 Euro, leg zwei in den Warenkorb, dann zur Kasse“.',
    notUnderstood:
      'Das habe ich nicht verstanden. Ich kann suchen, den Warenkorb füllen, bestellen und Termine buchen.',
    failed: (why) => `Das hat nicht geklappt: ${why}`,
    working: 'Einen Moment …',
    lostPage: (path) => `${path} ließ sich nicht öffnen. Wohin soll ich stattdessen gehen?`,
    tryingPage: (path, other) => `${path} ließ sich nicht öffnen – ich versuche ${other}.`,
  },
}
