const ENGLISH = {
  open: 'Open the assistant',
  close: 'Close the assistant',
  send: 'Send',
  message: 'Message',
  conversation: 'Conversation',
  placeholder: 'What are you looking for?',
  greeting: 'Hello! Tell me what you are looking for, or what you would like to book.',
  speak: 'Speak',
  stopSpeaking: 'Stop listening',
  consent:
    'Your browser turns what you say into text; depending on the browser, its maker receives the sound. We receive the text only. Switch the microphone on?',
  consentYes: 'Switch it on',
  consentNo: 'Not now',
  listening: 'Listening…',
  thinking: 'Working on it…',
  offline: 'No connection. Trying again…',
  approve: 'Yes, do it',
  deny: 'No',
  hint: 'Nothing has been done yet. Click, or say only "yes" or "no".',
  changed: 'This has changed since you were asked:',
  deciding: 'One moment…',
  denied: 'All right, nothing was done.',
  early: 'I was still reading it to you. I read it again; please answer then.',
  failed: 'That did not work. Please try again.',
  unanswered:
    'I got no answer, so it may be done or not. Press the same button again to see: nothing is done twice.',
  expired: 'This conversation has ended. Write again to begin a new one.',
  replaced: 'The conversation goes on in another tab.',
  stopped: 'The assistant is switched off at the moment.',
  you: 'You',
  facts: {
    lines: 'Items',
    subtotal: 'Subtotal',
    discount: 'Discount',
    shipping: 'Delivery',
    tax: 'Tax',
    total: 'Total',
    terms: 'Terms',
    title: 'What',
    start: 'From',
    end: 'To',
    price: 'Price',
    cancellation: 'Cancelling',
    policy: 'Cancelling',
    fee: 'Fee',
    refund: 'Refund',
    action: 'Sent to',
    fields: 'Fields',
  } as Readonly<Record<string, string>>,
}

export type Texts = typeof ENGLISH

const GERMAN: Texts = {
  open: 'Assistenten öffnen',
  close: 'Assistenten schließen',
  send: 'Senden',
  message: 'Nachricht',
  conversation: 'Gespräch',
  placeholder: 'Was suchen Sie?',
  greeting: 'Guten Tag! Sagen Sie mir, was Sie suchen oder buchen möchten.',
  speak: 'Sprechen',
  stopSpeaking: 'Nicht mehr zuhören',
  consent:
    'Ihr Browser wandelt das Gesprochene in Text um; je nach Browser erhält sein Hersteller den Ton. Wir erhalten nur den Text. Mikrofon einschalten?',
  consentYes: 'Einschalten',
  consentNo: 'Jetzt nicht',
  listening: 'Ich höre zu …',
  thinking: 'Einen Moment …',
  offline: 'Keine Verbindung. Neuer Versuch …',
  approve: 'Ja, ausführen',
  deny: 'Nein',
  hint: 'Noch ist nichts geschehen. Klicken Sie, oder sagen Sie nur „ja“ oder „nein“.',
  changed: 'Seit der Frage hat sich geändert:',
  deciding: 'Einen Moment …',
  denied: 'In Ordnung, es wurde nichts ausgeführt.',
  early: 'Ich habe noch vorgelesen. Ich lese es noch einmal; bitte antworten Sie danach.',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  unanswered:
    'Ich habe keine Antwort erhalten: Es kann ausgeführt sein oder nicht. Klicken Sie noch einmal auf dieselbe Schaltfläche; nichts geschieht doppelt.',
  expired: 'Dieses Gespräch ist beendet. Schreiben Sie, um ein neues zu beginnen.',
  replaced: 'Das Gespräch geht in einem anderen Tab weiter.',
  stopped: 'Der Assistent ist gerade ausgeschaltet.',
  you: 'Sie',
  facts: {
    lines: 'Artikel',
    subtotal: 'Zwischensumme',
    discount: 'Rabatt',
    shipping: 'Lieferung',
    tax: 'Steuer',
    total: 'Summe',
    terms: 'Bedingungen',
    title: 'Was',
    start: 'Von',
    end: 'Bis',
    price: 'Preis',
    cancellation: 'Absagen',
    policy: 'Absagen',
    fee: 'Gebühr',
    refund: 'Erstattung',
    action: 'Empfänger',
    fields: 'Felder',
  },
}

/** The texts of the widget in the visitor's language, where the site speaks it. */
export function chooseTexts(
  languages: readonly string[],
  locales: readonly string[],
): { readonly language: 'en' | 'de'; readonly texts: Texts } {
  const site = locales.map((locale) => locale.slice(0, 2))
  const wanted = languages
    .map((language) => language.slice(0, 2))
    .find(
      (language) =>
        ['en', 'de'].includes(language) && (site.length === 0 || site.includes(language)),
    )
  return wanted === 'de' ? { language: 'de', texts: GERMAN } : { language: 'en', texts: ENGLISH }
}
