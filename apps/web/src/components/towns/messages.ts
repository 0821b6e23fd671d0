import { defineMessages } from '../../lib/messages.ts'

export const townMessages = defineMessages({
  en: {
    find: 'Find a town',
    hint: 'Start typing its name. It is looked up on this device; nobody is told.',
    towns: 'Towns',
    loading: 'The names of the towns are loading …',
    failed: 'The names of the towns could not be loaded. Type on to try again, or write coordinates.',
    none: 'No town of {least, number} inhabitants or more has this name. Take a larger one near it, or write coordinates.',
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
    failed:
      'No se han podido cargar los nombres de las ciudades. Sigue escribiendo para intentarlo de nuevo, o escribe las coordenadas.',
    none: 'Ninguna ciudad de {least, number} habitantes o más se llama así. Elige una mayor que esté cerca o escribe las coordenadas.',
    some: '{count, plural, one {# ciudad} other {# ciudades}}; elige con las flechas e Intro.',
    beside: 'cerca de {town}',
    taken: 'Se ha tomado {town}.',
    source: 'Ciudades: <geonames>GeoNames</geonames>, <licence>CC BY 4.0</licence>.',
  },
})
