// table: what things are called in English
import type { Naming, Occasion } from './names.ts'

const the = (title: string, hours: Occasion['hours']): Occasion => ({ title, hours, to: `the ${title}` })

export const english: Naming = {
  homes: [
    { region: 'US', timeZone: 'America/New_York', currency: 'USD', cities: ['Boston', 'Providence', 'Philadelphia', 'Baltimore'] },
    { region: 'US', timeZone: 'America/Chicago', currency: 'USD', cities: ['Madison', 'Milwaukee', 'Austin', 'St. Louis'] },
    { region: 'US', timeZone: 'America/Los_Angeles', currency: 'USD', cities: ['Portland', 'Oakland', 'Seattle', 'San Diego'] },
    { region: 'GB', timeZone: 'Europe/London', currency: 'GBP', cities: ['Bristol', 'Leeds', 'Norwich', 'Edinburgh', 'Cardiff'] },
    { region: 'GB', timeZone: 'Europe/London', currency: 'GBP', cities: ['Sheffield', 'Glasgow', 'Brighton', 'York', 'Manchester'] },
  ],
  heads: [
    the('Jazz Night', 'evening'),
    the('Comedy Night', 'evening'),
    the('Poetry Slam', 'evening'),
    the('Choir Concert', 'evening'),
    the('Swing Dance', 'evening'),
    { ...the('Book Fair', 'morning'), canLast: true },
    { ...the('Craft Market', 'morning'), canLast: true },
    the('Flea Market', 'morning'),
    the('Repair Café', 'afternoon'),
    the('Garden Party', 'afternoon'),
    { ...the('Film Festival', 'afternoon'), canLast: true },
    { ...the('Science Fair', 'morning'), canLast: true },
    the('Fun Run', 'morning'),
    the('Pub Quiz', 'evening'),
    the('Plant Swap', 'morning'),
    { ...the('Open Studios', 'afternoon'), canLast: true },
  ],
  epithets: ['Riverside', 'Old Town', 'Lantern', 'Harbour', 'Northern', 'Little', 'Maple Street', 'Rooftop', 'Copper Hill', 'Kingfisher'],
  join: (head, epithet) => {
    const title = `${epithet} ${head.title}`
    return { ...head, title, to: `the ${title}` }
  },
  whole: [
    { title: 'The Velvet Foxes Live', hours: 'evening', to: 'The Velvet Foxes Live', also: ['The Velvet Foxes'] },
    { title: 'A Doll’s House', hours: 'evening', to: 'A Doll’s House' },
    { title: 'Twelfth Night', hours: 'evening', to: 'Twelfth Night' },
    { title: 'An Evening with Clara Whitfield', hours: 'evening', to: 'An Evening with Clara Whitfield' },
    { title: 'Bread Baking for Beginners', hours: 'afternoon', to: 'Bread Baking for Beginners' },
    { title: 'Bach by Candlelight', hours: 'evening', to: 'Bach by Candlelight' },
    {
      title: 'Talk: The Secret Life of Moss',
      hours: 'evening',
      to: 'the talk “The Secret Life of Moss”',
      also: ['The Secret Life of Moss'],
    },
    { title: 'Puppet Theatre: The Lost Mitten', hours: 'afternoon', to: 'the puppet theatre “The Lost Mitten”', also: ['The Lost Mitten'] },
  ],
  personal: [
    { title: 'Dinner with Ana', hours: 'evening', to: 'dinner with Ana' },
    { title: 'Lunch with Priya', hours: 'noon', to: 'lunch with Priya' },
    { title: 'Dentist appointment', hours: 'afternoon', to: 'the dentist appointment', happensOnce: true },
    { title: 'Coffee with Tom', hours: 'afternoon', to: 'coffee with Tom' },
    { title: 'Ben’s birthday party', hours: 'afternoon', to: 'Ben’s birthday party', happensOnce: true },
    { title: 'Team breakfast', hours: 'morning', to: 'the team breakfast' },
    { title: 'Parents’ evening', hours: 'evening', to: 'the parents’ evening' },
    { title: 'Book club', hours: 'evening', to: 'the book club' },
    { title: 'Piano lesson', hours: 'afternoon', to: 'the piano lesson' },
    { title: 'Choir rehearsal', hours: 'evening', to: 'the choir rehearsal' },
    { title: 'Housewarming party', hours: 'evening', to: 'the housewarming party', happensOnce: true },
    { title: 'Budget review', hours: 'morning', to: 'the budget review' },
  ],
  taglines: [
    'Live music, good food and friendly people',
    'For the whole family, whatever the weather',
    'With local artists and a very long bar',
    'Bring a friend, bring a blanket',
    'Back by popular demand',
    'Everybody is welcome',
  ],
  presenters: ['The Harbour Society', 'Friends of the Library', 'Millbrook Arts Trust', 'The Corner Collective', 'Radio Lighthouse'],
  venues: [
    'The Blue Lantern',
    'Millbrook Town Hall',
    'St. Mark’s Church',
    'Corner Bookshop',
    'The Old Foundry',
    'Rosewood Theatre',
    'Fern Hill Library',
    'Pier 9 Warehouse',
    'The Copper Kettle',
    'Greenway Community Center',
  ].map((name) => ({
    name,
    at: `at ${name.replace(/^The /, 'the ')}`,
  })),
  streets: ['Mill Lane', 'Maple Avenue', 'Station Road', 'Harbour Street', 'Orchard Road', 'Church Street', 'Foundry Lane', 'Elm Street'],
  address: (street, number, { city }) => `${number} ${street}, ${city}`,
}
