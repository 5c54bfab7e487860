// table
// What visitors of the demo shop might ask, and the pages that answer it. The judgements were written
// from the catalogue before any result was seen. TUNING chose the weights and the threshold of
// rank-pages.ts; the others are only measured.

export type SearchQuestion = {
  readonly query: string
  /** Paths of pages that answer it; none where the shop has nothing of the kind. */
  readonly answers: readonly string[]
}

const ask = (query: string, ...answers: readonly string[]): SearchQuestion => ({ query, answers })

export const TUNING: readonly SearchQuestion[] = [
  ask('long-stemmed red roses', '/products/red-roses'),
  ask('silk tie', '/products/silk-tie'),
  ask('wreath for autumn', '/products/autumn-wreath'),
  ask('how are refunds paid', '/help/returns'),
  ask('shirt with stripes', '/products/striped-shirt'),
  ask('something for the neck in winter', '/products/printed-scarf', '/products/loden-coat'),
  ask('houseplant that survives neglect', '/products/succulent-bowl', '/products/monstera'),
  ask('how do I care for cut flowers', '/journal/how-to-keep-roses'),
  ask('shorten my pants', '/appointments/alteration', '/products/flannel-trousers'),
  ask('scissors', '/products/shears'),
  ask('flower subscription', '/products/weekly-flowers'),
  ask('discount code', '/help/payment'),
  ask('pink roses', '/products/blush-garden-roses'),
  ask('pleated skirt', '/products/pleated-skirt'),
  ask('opening hours', '/contact', '/help/delivery'),
  ask('measure my chest', '/help/sizes'),
  ask('wedding flowers', '/appointments/wedding-flowers', '/journal/flowers-for-a-small-wedding'),
  ask('return an item', '/help/returns'),
  ask('shipping', '/help/delivery'),
  ask(
    'romantic gift for my girlfriend',
    '/products/red-roses',
    '/products/rose-hat-box',
    '/products/single-red-rose',
  ),
  ask('formal wear for men', '/products/navy-suit-jacket', '/shop/suits', '/products/bow-tie'),
  ask(
    'repair a hole in my sweater',
    '/appointments/alteration',
    '/journal/repairing-is-not-saving',
  ),
  ask('needles and thread', '/products/sewing-kit'),
  ask('something that smells nice', '/products/rose-candle', '/products/lavender-and-daisies'),
  ask('door decoration', '/products/autumn-wreath', '/products/meadow-wreath'),
  ask('developer documentation', '/help/api'),
  ask('book a time slot', '/appointments', '/help/appointments'),
  ask('which blossoms are fresh this month', '/journal/what-is-in-season'),
  ask('laptop charger'),
  ask('solar panels'),
  ask('hotel in Paris'),
  ask('guitar lessons'),
  ask('vaccination'),
  ask('mortgage rates'),
  ask('football tickets'),
  ask('dog food'),
]

/** Questions that share telling words with the page. */
export const SHARING_WORDS: readonly SearchQuestion[] = [
  ask('white roses', '/products/white-roses'),
  ask('a single rose with a card', '/products/single-red-rose'),
  ask('tulips', '/products/tulips-in-paper'),
  ask('peony', '/products/peonies', '/products/printed-scarf'),
  ask('sunflowers', '/products/sunflower-armful'),
  ask('orchid', '/products/moth-orchid'),
  ask('fern for the bathroom', '/products/boston-fern'),
  ask('olive tree for the balcony', '/products/olive-tree'),
  ask('bow tie', '/products/bow-tie'),
  ask('navy jacket', '/products/navy-suit-jacket'),
  ask('grey flannel trousers', '/products/flannel-trousers'),
  ask('linen blouse', '/products/linen-blouse'),
  ask('summer dress with pockets', '/products/summer-dress'),
  ask('gift voucher', '/products/gift-voucher'),
  ask('candle', '/products/rose-candle'),
  ask('buttons', '/products/shell-buttons'),
  ask('sewing kit', '/products/sewing-kit'),
  ask('cancel an appointment', '/help/appointments'),
  ask('what does delivery cost', '/help/delivery'),
  ask('rosses in a hat box', '/products/rose-hat-box'),
]

/** Questions in other words than those of the page. */
export const PARAPHRASED: readonly SearchQuestion[] = [
  ask('send it to my home', '/help/delivery'),
  ask('get my money back', '/help/returns'),
  ask('which credit cards do you accept', '/help/payment'),
  ask('am I a medium or a large', '/help/sizes'),
  ask('what should I bring to the tailor', '/journal/first-fitting', '/appointments/fitting'),
  ask('sew up a torn garment', '/appointments/alteration', '/journal/repairing-is-not-saving'),
  ask(
    'blooms for my bride',
    '/journal/flowers-for-a-small-wedding',
    '/appointments/wedding-flowers',
  ),
  ask('class with friends where we learn to arrange flowers', '/appointments/bouquet-workshop'),
  ask('container for a bunch of stems', '/products/stoneware-vase'),
  ask('plants to cook with', '/products/kitchen-herbs'),
  ask('flowers that last forever', '/products/dried-bunch', '/products/meadow-wreath'),
  ask('present for someone whose taste I do not know', '/products/gift-voucher'),
  ask('warm outerwear', '/products/loden-coat'),
  ask('protect my clothes while gardening', '/products/gardeners-apron'),
  ask('decoration for the hair of a bridesmaid', '/products/flower-crown'),
  ask('vest for a suit', '/products/check-waistcoat'),
  ask('cactus', '/products/succulent-bowl'),
  ask('large leafy indoor plant', '/products/monstera'),
  ask('handkerchief for the breast pocket', '/products/pocket-square'),
  ask('mum’s gown for my own wedding', '/products/wedding-dress-alteration'),
]

/** Nothing of this is on the site. */
export const UNANSWERABLE: readonly SearchQuestion[] = [
  ask('bicycle tyres'),
  ask('frozen pizza'),
  ask('train to Vienna'),
  ask('python programming course'),
  ask('car insurance'),
  ask('headphones with noise cancelling'),
  ask('who won the election'),
  ask('dentist near me'),
  ask('baby stroller'),
  ask('printer ink'),
]
