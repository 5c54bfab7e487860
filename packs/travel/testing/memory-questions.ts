// table

/** A question, and the memory that answers it. */
export type MemoryQuestion = { readonly question: string; readonly answer: string }

/** Questions by which the ranking was chosen. They are not part of the evaluation. */
export const TUNING: readonly MemoryQuestion[] = [
  { question: 'Where on the plane does she like to sit?', answer: 'Wants a window seat.' },
  { question: 'Is there anything he cannot eat?', answer: 'Is allergic to peanuts and shellfish.' },
  { question: 'Does she mind flying overnight?', answer: 'Never takes red-eye departures.' },
  {
    question: 'What does he do in the mornings on vacation?',
    answer: 'Goes jogging at sunrise wherever he is.',
  },
  { question: 'Can we offer them meat?', answer: 'The whole family is vegetarian.' },
  {
    question: 'Which kind of art interests her?',
    answer: 'Loves impressionist painting and sculpture gardens.',
  },
  { question: 'Is a boat trip a good idea?', answer: 'Gets seasick on ferries within minutes.' },
  {
    question: 'How much may a night cost?',
    answer: 'Spends between 80 and 120 euros on a hotel room.',
  },
  { question: 'Who comes along?', answer: 'Travels with two small children and a grandmother.' },
  { question: 'Do they need help with stairs?', answer: 'The mother uses a wheelchair.' },
  {
    question: 'What music should be played in the evening?',
    answer: 'Is fond of live jazz in small clubs.',
  },
  { question: 'Would she enjoy the coast?', answer: 'Dreams of a house by the ocean.' },
  { question: 'What is he afraid of?', answer: 'Panics at great heights, even on balconies.' },
  {
    question: 'Is a noisy street acceptable?',
    answer: 'Sleeps badly and asks for a silent bedroom.',
  },
  { question: 'Can she drive?', answer: 'Has no licence and relies on trains.' },
  {
    question: 'What does he drink at breakfast?',
    answer: 'Cannot start the day without strong coffee.',
  },
  { question: 'How long may a walk be?', answer: 'Hikes twenty kilometres without complaint.' },
  { question: 'Is there a pet?', answer: 'Brings a dachshund everywhere.' },
  {
    question: 'Does she want to stay connected?',
    answer: 'Needs fast wifi because she works remotely.',
  },
  {
    question: 'What weather makes him unhappy?',
    answer: 'Suffers in the heat and prefers cool summers.',
  },
  {
    question: 'What should be booked for an anniversary?',
    answer: 'Celebrates the wedding day on 14 June every year.',
  },
  {
    question: 'How do they feel about big crowds?',
    answer: 'Avoids famous sights when they are full of tourists.',
  },
  {
    question: 'Which language can the guide speak?',
    answer: 'Understands only Spanish and a little French.',
  },
  {
    question: 'Does he bring a lot of luggage?',
    answer: 'Flies with a cabin bag only and never checks suitcases.',
  },
  { question: 'Would she sleep in a tent?', answer: 'Finds camping romantic.' },
  { question: 'What presents does he bring home?', answer: 'Buys ceramics as souvenirs.' },
  { question: 'Is the pool important?', answer: 'The kids must be able to swim at the hotel.' },
  { question: 'Should the car be electric?', answer: 'Cares about the climate and avoids petrol.' },
  { question: 'How does she pay?', answer: 'Uses an American Express card for every purchase.' },
  {
    question: 'When does he have to be home at the latest?',
    answer: 'School starts again on the first of September.',
  },
]

/** Questions that share no telling word with their answer. The ranking was fixed before they were written. */
export const PARAPHRASED: readonly MemoryQuestion[] = [
  {
    question: 'Which meals are forbidden by her religion?',
    answer: 'Does not eat pork and keeps halal.',
  },
  {
    question: 'Is she comfortable in an aeroplane?',
    answer: 'Is nervous during takeoff and landing.',
  },
  {
    question: 'What kind of lodging does he choose?',
    answer: 'Prefers small guesthouses to chains.',
  },
  {
    question: 'Does the couple go out dancing?',
    answer: 'Loves nightclubs and stays until the early hours.',
  },
  {
    question: 'Which sports does he do in winter?',
    answer: 'Goes skiing in the Alps each February.',
  },
  { question: 'What is her favourite sweet?', answer: 'Cannot resist chocolate cake.' },
  {
    question: 'How does he get around in a city?',
    answer: 'Rents a bicycle instead of taking taxis.',
  },
  { question: 'What is her job?', answer: 'Is a nurse at a hospital.' },
  { question: 'Does he like animals?', answer: 'Enjoys zoos and wildlife parks.' },
  { question: 'Has she been ill recently?', answer: 'Is recovering from a knee operation.' },
  { question: 'How many kids do they have?', answer: 'Has three daughters aged four to nine.' },
  { question: 'What does she read?', answer: 'Takes a crime novel on every journey.' },
  { question: 'Do they like wine?', answer: 'Visits vineyards and tastes local reds.' },
  { question: 'Is he a late riser?', answer: 'Never gets up before ten on holiday.' },
  {
    question: 'Which old buildings does she like to see?',
    answer: 'Is interested in Gothic cathedrals.',
  },
  {
    question: 'Does he suffer from any disease?',
    answer: 'Has diabetes and needs a fridge for insulin.',
  },
  {
    question: 'How expensive may dinner be?',
    answer: 'Wants cheap street food rather than fine dining.',
  },
  { question: 'Should the room have two beds?', answer: 'Asks for twin rooms because of snoring.' },
  {
    question: 'Would they like a guided tour?',
    answer: 'Explores on his own without an organised group.',
  },
  {
    question: 'What does she think about theme parks?',
    answer: 'Finds roller coasters thrilling.',
  },
  { question: 'Which seasons suit them?', answer: 'Travels in autumn when the leaves turn.' },
  { question: 'Does she mind tobacco?', answer: 'Demands a non-smoking bedroom.' },
  { question: 'How do they keep fit?', answer: 'Uses the hotel gym daily.' },
  { question: 'What theatre does he like?', answer: 'Is an opera enthusiast.' },
  {
    question: 'Is he any good with boats?',
    answer: 'Has a sailing certificate and charters yachts.',
  },
  {
    question: 'What clothes does she shop for?',
    answer: 'Hunts for vintage dresses in second-hand stores.',
  },
  { question: 'Does he want to be on his own?', answer: 'Enjoys solitude and remote cabins.' },
  { question: 'Which drinks does she avoid?', answer: 'Does not touch alcohol.' },
  {
    question: 'Do they like looking at the stars?',
    answer: 'Is an amateur astronomer with a telescope.',
  },
  { question: 'What makes the baby fall asleep?', answer: 'The infant needs a cot in the room.' },
]

/** Questions that share words with their answer, and with other memories as well. */
export const SHARING_WORDS: readonly MemoryQuestion[] = [
  {
    question: 'What was the tile workshop in Porto like?',
    answer: 'Loved the tile workshop in Porto in June 2025.',
  },
  {
    question: 'Which airline lost the suitcase?',
    answer: 'An airline lost a suitcase in Frankfurt once.',
  },
  {
    question: 'Which hotel in Vienna had the good breakfast?',
    answer: 'The hotel in Vienna near the opera had a wonderful breakfast.',
  },
  {
    question: 'Does she like aisle seats on long flights?',
    answer: 'On long flights an aisle seat is better for the back.',
  },
  { question: 'What about Venice in August?', answer: 'Found Venice in August unbearable.' },
  {
    question: 'Was the night train to Stockholm good?',
    answer: 'The night train to Stockholm was an hour late, and still fun.',
  },
  {
    question: 'Which restaurant in Lyon had the onion soup?',
    answer: 'Ate the best onion soup of all in a restaurant in Lyon.',
  },
  {
    question: 'What does the yoga retreat cost?',
    answer: 'The yoga retreat costs 700 euros a week.',
  },
  {
    question: 'Is there a loyalty number for the car rental?',
    answer: 'Has a loyalty card of a car rental company.',
  },
  {
    question: 'What happened at the border of Croatia?',
    answer: 'Waited four hours at the border of Croatia.',
  },
  {
    question: 'Which museum in Madrid was closed on Monday?',
    answer: 'Stood before a closed museum in Madrid on a Monday.',
  },
  { question: 'Does he want a kettle in the room?', answer: 'Asks for a kettle in the room.' },
  {
    question: 'What about travel insurance for skiing?',
    answer: 'The travel insurance does not cover skiing.',
  },
  { question: 'Which island has the turtles?', answer: 'Saw turtles on an island near Zanzibar.' },
  {
    question: 'Who recommended the spa in Budapest?',
    answer: 'A colleague recommended the spa in Budapest.',
  },
  { question: 'When does the passport expire?', answer: 'The passport expires in March 2029.' },
  {
    question: 'What was wrong with the apartment in Rome?',
    answer: 'The apartment in Rome smelled of paint.',
  },
  {
    question: 'Which beach in Crete was empty?',
    answer: 'The beach in the south of Crete was empty in May.',
  },
  { question: 'Is the upper floor important?', answer: 'Insists on an upper floor.' },
  {
    question: 'How was the vegetarian menu on the cruise?',
    answer: 'The vegetarian menu on the cruise was poor.',
  },
  {
    question: 'Which bicycle tour was too steep?',
    answer: 'A bicycle tour in the Dolomites was too steep.',
  },
  {
    question: 'What about a lounge at the airport?',
    answer: 'Always books a lounge at the airport.',
  },
  {
    question: 'Where was the jazz festival?',
    answer: 'Goes to the jazz festival in Montreux every second year.',
  },
  {
    question: 'Who takes photographs of bridges?',
    answer: 'Takes photographs of bridges in every town.',
  },
  { question: 'Which market sells old maps?', answer: 'Collects old maps from flea markets.' },
  {
    question: 'What about the balcony with a view of the lake?',
    answer: 'Paid extra for a balcony with a view of the lake.',
  },
  {
    question: 'How was the whale watching?',
    answer: 'Whale watching was cancelled twice because of the wind.',
  },
  {
    question: 'Which castle had the concert?',
    answer: 'Heard a concert in a castle near Salzburg.',
  },
  {
    question: 'Is the visa for Vietnam still valid?',
    answer: 'Has a visa for Vietnam until October.',
  },
  {
    question: 'Did they like the cooking class in Bangkok?',
    answer: 'Enjoyed a cooking class in Bangkok.',
  },
]

const TOWNS =
  'Oslo Bergen Helsinki Tallinn Riga Vilnius Warsaw Prague Brno Graz Linz Bern Geneva Turin Milan Naples Palermo Bari Split Zagreb Athens Sofia Bucharest Izmir Tunis Cairo Nairobi Lima Quito Bogota Denver Boston Chicago Seattle Toronto Montreal Osaka Kyoto Seoul Taipei Hanoi Perth Sydney Auckland'.split(
    ' ',
  )
const SAYINGS = [
  'Was in TOWN for three days and would go again.',
  'Compared hotels in TOWN but booked nothing.',
  'Asked about direct flights to TOWN.',
  'Has a friend who lives in TOWN.',
  'Read that TOWN is pleasant in the spring.',
  'Wanted to know how to get from the airport of TOWN to the centre.',
  'Thought that the restaurants of TOWN were expensive.',
  'Looked for a museum pass in TOWN.',
  'Missed a connection in TOWN because of fog.',
  'Found the old town of TOWN charming.',
]

/** Five hundred memories: the answers, and others that are about similar things. */
export function allMemories(): readonly string[] {
  const answers = [...PARAPHRASED, ...SHARING_WORDS, ...TUNING].map(({ answer }) => answer)
  const others = SAYINGS.flatMap((saying) => TOWNS.map((town) => saying.replace('TOWN', town)))
  return [...answers, ...others].slice(0, 500)
}
