import { defineMessages } from '../../lib/messages.ts'

export const townMessages = defineMessages({
  en: {
    find: 'Find a town',
    hint: 'Start typing its name. It is looked up on this device; nobody is told.',
    towns: 'Towns',
    loading: 'The names of the towns are loading …',
    failed: 'The names of the towns could not be loaded. Type on to try again.',
    none: 'No town of {least, number} inhabitants or more has this name. Choose a larger one nearby.',
    some: '{count, plural, one {# town} other {# towns}}; choose with the arrow keys and Enter.',
    beside: 'near {town}',
    taken: '{town} is taken.',
    source: 'Towns: <geonames>GeoNames</geonames>, <licence>CC BY 4.0</licence>.',
  },
  es: {
    find: 'Buscar una ciudad',
    hint: 'Empieza a escribir su nombre. Se busca en este dispositivo y no se le dice a nadie.',
    towns: 'Ciudades',
    loading: 'Cargando los nombres de las ciudades…',
    failed: 'No se han podido cargar los nombres de las ciudades. Sigue escribiendo para intentarlo de nuevo.',
    none: 'Ninguna ciudad de {least, number} habitantes o más se llama así. Elige una mayor que esté cerca.',
    some: '{count, plural, one {# ciudad} other {# ciudades}}; elige con las flechas e Intro.',
    beside: 'cerca de {town}',
    taken: 'Se ha tomado {town}.',
    source: 'Ciudades: <geonames>GeoNames</geonames>, <licence>CC BY 4.0</licence>.',
  },
})
