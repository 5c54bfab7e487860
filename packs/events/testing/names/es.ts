// table of names in Spanish
import type { Naming, Occasion } from './names.ts'

const al = (title: string, hours: Occasion['hours']): Occasion => ({
  title,
  hours,
  to: `al ${lower(title)}`,
})
const ala = (title: string, hours: Occasion['hours']): Occasion => ({
  title,
  hours,
  to: `a la ${lower(title)}`,
})

export const spanish: Naming = {
  homes: [
    {
      region: 'ES',
      timeZone: 'Europe/Madrid',
      currency: 'EUR',
      cities: ['Sevilla', 'Bilbao', 'Granada', 'Zaragoza', 'Valencia'],
    },
    {
      region: 'ES',
      timeZone: 'Europe/Madrid',
      currency: 'EUR',
      cities: ['Madrid', 'Salamanca', 'Málaga', 'Oviedo', 'Santander'],
    },
    {
      region: 'MX',
      timeZone: 'America/Mexico_City',
      currency: 'MXN',
      cities: ['Puebla', 'Guadalajara', 'Querétaro', 'Oaxaca'],
    },
  ],
  heads: [
    ala('Noche de jazz', 'evening'),
    al('Concierto coral', 'evening'),
    ala('Velada poética', 'evening'),
    al('Baile de salón', 'evening'),
    { ...al('Mercado artesanal', 'morning'), canLast: true },
    { ...ala('Feria del libro', 'morning'), canLast: true },
    al('Rastrillo solidario', 'morning'),
    { ...al('Festival de cine', 'afternoon'), canLast: true },
    ala('Carrera popular', 'morning'),
    al('Taller de cerámica', 'afternoon'),
    al('Intercambio de plantas', 'morning'),
    al('Micrófono abierto', 'evening'),
    ala('Fiesta popular', 'afternoon'),
  ],
  epithets: [
    'de la Ribera',
    'del Casco Viejo',
    'de San Telmo',
    'del Molino',
    'bajo las estrellas',
    'de los Tilos',
    'de la Estación',
  ],
  join: (head, epithet) => ({
    ...head,
    title: `${head.title} ${epithet}`,
    to: `${head.to} ${epithet}`,
  }),
  whole: [
    { title: 'La casa de Bernarda Alba', hours: 'evening', to: 'a «La casa de Bernarda Alba»' },
    { title: 'Don Juan Tenorio', hours: 'evening', to: 'a «Don Juan Tenorio»' },
    {
      title: 'Charla: la vida secreta del musgo',
      hours: 'evening',
      to: 'a la charla «La vida secreta del musgo»',
      also: ['La vida secreta del musgo'],
    },
    {
      title: 'Títeres: el dragón pequeño',
      hours: 'afternoon',
      to: 'a los títeres «El dragón pequeño»',
      also: ['El dragón pequeño'],
    },
    {
      title: 'Pan casero para principiantes',
      hours: 'afternoon',
      to: 'a «Pan casero para principiantes»',
    },
    { title: 'Bach a la luz de las velas', hours: 'evening', to: 'a «Bach a la luz de las velas»' },
  ],
  personal: [
    { title: 'Cena con Lucía', hours: 'evening', to: 'a la cena con Lucía' },
    { title: 'Comida con Javier', hours: 'noon', to: 'a la comida con Javier' },
    {
      title: 'Cita con el dentista',
      hours: 'afternoon',
      to: 'a la cita con el dentista',
      happensOnce: true,
    },
    { title: 'Café con Marta', hours: 'afternoon', to: 'al café con Marta' },
    {
      title: 'Cumpleaños de Hugo',
      hours: 'afternoon',
      to: 'al cumpleaños de Hugo',
      happensOnce: true,
    },
    { title: 'Desayuno de equipo', hours: 'morning', to: 'al desayuno de equipo' },
    { title: 'Reunión de padres', hours: 'evening', to: 'a la reunión de padres' },
    { title: 'Club de lectura', hours: 'evening', to: 'al club de lectura' },
    { title: 'Clase de piano', hours: 'afternoon', to: 'a la clase de piano' },
    { title: 'Ensayo del coro', hours: 'evening', to: 'al ensayo del coro' },
    {
      title: 'Fiesta de inauguración',
      hours: 'evening',
      to: 'a la fiesta de inauguración',
      happensOnce: true,
    },
  ],
  taglines: [
    'Música en directo, buena comida y buena gente',
    'Para toda la familia, llueva o haga sol',
    'Con artistas del barrio',
    'Os esperamos a todos',
    'Ven con tus amigos',
  ],
  presenters: [
    'Asociación La Pasarela',
    'Amigos de la Biblioteca',
    'Casa del Barrio',
    'Radio Faro',
    'Colectivo La Esquina',
  ],
  venues: [
    { name: 'El Farol Azul', at: 'en El Farol Azul' },
    { name: 'Teatro de las Rosas', at: 'en el Teatro de las Rosas' },
    { name: 'Biblioteca Cervantes', at: 'en la Biblioteca Cervantes' },
    { name: 'Iglesia de San Marcos', at: 'en la Iglesia de San Marcos' },
    { name: 'Café Central', at: 'en el Café Central' },
    { name: 'La Antigua Fundición', at: 'en La Antigua Fundición' },
    { name: 'Centro Cultural Norte', at: 'en el Centro Cultural Norte' },
    { name: 'Sala Molino', at: 'en la Sala Molino' },
  ],
  streets: [
    'Calle del Molino',
    'Avenida de los Tilos',
    'Calle Mayor',
    'Paseo del Puerto',
    'Plaza de la Iglesia',
    'Calle de la Estación',
  ],
  address: (street, number, { city, postcode }) =>
    `${street} ${number}, ${`0${postcode}`.slice(-5)} ${city}`,
}

function lower(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1)
}
