// table of names in French
import type { Naming, Occasion } from './names.ts'

const au = (title: string, hours: Occasion['hours']): Occasion => ({
  title,
  hours,
  to: `au ${lower(title)}`,
})
const ala = (title: string, hours: Occasion['hours']): Occasion => ({
  title,
  hours,
  to: `à la ${lower(title)}`,
})

export const french: Naming = {
  homes: [
    {
      region: 'FR',
      timeZone: 'Europe/Paris',
      currency: 'EUR',
      cities: ['Nantes', 'Lyon', 'Rennes', 'Grenoble', 'Strasbourg'],
    },
    {
      region: 'FR',
      timeZone: 'Europe/Paris',
      currency: 'EUR',
      cities: ['Paris', 'Bordeaux', 'Lille', 'Toulouse', 'Dijon'],
    },
    {
      region: 'BE',
      timeZone: 'Europe/Brussels',
      currency: 'EUR',
      cities: ['Namur', 'Liège', 'Bruxelles', 'Mons'],
    },
    {
      region: 'CH',
      timeZone: 'Europe/Zurich',
      currency: 'CHF',
      cities: ['Lausanne', 'Genève', 'Neuchâtel', 'Fribourg'],
    },
  ],
  heads: [
    ala('Nuit du jazz', 'evening'),
    au('Concert de chorale', 'evening'),
    ala('Soirée jeux', 'evening'),
    au('Bal folk', 'evening'),
    { ...au('Marché artisanal', 'morning'), canLast: true },
    { ...ala('Foire aux livres', 'morning'), canLast: true },
    au('Vide-grenier', 'morning'),
    { ...au('Festival du film', 'afternoon'), canLast: true },
    ala('Course populaire', 'morning'),
    au('Café réparation', 'afternoon'),
    ala('Bourse aux plantes', 'morning'),
    ala('Scène ouverte', 'evening'),
    ala('Fête de quartier', 'afternoon'),
  ],
  epithets: [
    'des Quais',
    'du Vieux-Port',
    'de la Halle',
    'des Tilleuls',
    'de Belle-Rive',
    'du Moulin',
    'sous les étoiles',
    'de la Croix-Blanche',
  ],
  join: (head, epithet) => ({
    ...head,
    title: `${head.title} ${epithet}`,
    to: `${head.to} ${epithet}`,
  }),
  whole: [
    { title: 'Le Malade imaginaire', hours: 'evening', to: 'au « Malade imaginaire »' },
    { title: 'Carmen', hours: 'evening', to: 'à « Carmen »' },
    {
      title: 'Conférence : la vie secrète des mousses',
      hours: 'evening',
      to: 'à la conférence « La vie secrète des mousses »',
      also: ['La vie secrète des mousses'],
    },
    {
      title: 'Guignol et le petit dragon',
      hours: 'afternoon',
      to: 'à « Guignol et le petit dragon »',
    },
    {
      title: 'Initiation au pain au levain',
      hours: 'afternoon',
      to: 'à l’initiation au pain au levain',
    },
    { title: 'Bach aux chandelles', hours: 'evening', to: 'à « Bach aux chandelles »' },
  ],
  personal: [
    { title: 'Dîner avec Camille', hours: 'evening', to: 'au dîner avec Camille' },
    { title: 'Déjeuner avec Paul', hours: 'noon', to: 'au déjeuner avec Paul' },
    {
      title: 'Rendez-vous chez le dentiste',
      hours: 'afternoon',
      to: 'au rendez-vous chez le dentiste',
      happensOnce: true,
    },
    { title: 'Café avec Thomas', hours: 'afternoon', to: 'au café avec Thomas' },
    {
      title: 'Anniversaire de Léa',
      hours: 'afternoon',
      to: 'à l’anniversaire de Léa',
      happensOnce: true,
    },
    { title: 'Petit-déjeuner d’équipe', hours: 'morning', to: 'au petit-déjeuner d’équipe' },
    { title: 'Réunion de parents', hours: 'evening', to: 'à la réunion de parents' },
    { title: 'Club de lecture', hours: 'evening', to: 'au club de lecture' },
    { title: 'Cours de piano', hours: 'afternoon', to: 'au cours de piano' },
    { title: 'Répétition de la chorale', hours: 'evening', to: 'à la répétition de la chorale' },
    {
      title: 'Pendaison de crémaillère',
      hours: 'evening',
      to: 'à la pendaison de crémaillère',
      happensOnce: true,
    },
  ],
  taglines: [
    'Musique, bonne cuisine et bonne humeur',
    'Pour toute la famille, par tous les temps',
    'Avec les artistes du quartier',
    'Venez nombreux',
    'Un moment à partager entre voisins',
  ],
  presenters: [
    'L’association La Passerelle',
    'Les Amis de la médiathèque',
    'La Maison de quartier',
    'Radio Phare',
    'Le Collectif du Coin',
  ],
  venues: [
    { name: 'La Lanterne bleue', at: 'à La Lanterne bleue' },
    { name: 'Salle des fêtes', at: 'à la Salle des fêtes' },
    { name: 'Théâtre des Roses', at: 'au Théâtre des Roses' },
    { name: 'Médiathèque Jules-Verne', at: 'à la Médiathèque Jules-Verne' },
    { name: 'Église Saint-Marc', at: 'à l’Église Saint-Marc' },
    { name: 'Café de la Gare', at: 'au Café de la Gare' },
    { name: 'L’Ancienne Fonderie', at: 'à L’Ancienne Fonderie' },
    { name: 'Maison des associations', at: 'à la Maison des associations' },
  ],
  streets: [
    'rue du Moulin',
    'avenue des Tilleuls',
    'rue de la Gare',
    'quai du Port',
    'place de l’Église',
    'rue des Écoles',
    'boulevard Victor-Hugo',
  ],
  address: (street, number, { city, postcode, region }) =>
    `${number} ${street}, ${region === 'FR' ? `0${postcode}`.slice(-5) : String(postcode).slice(0, 4)} ${city}`,
}

function lower(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1)
}
