import { defineMessages } from '../../lib/messages.ts'

export const discoverMessages = defineMessages({
  en: {
    title: 'Find work', lead: 'Open tasks, newest first. The bounty is locked in escrow when you are chosen.', mapTitle: 'Work on the map', mapLead: 'Circles show about where a task has to be done; the exact place is told to whoever is chosen.',
    list: 'List', map: 'Map', views: 'View', filters: 'Filters', showFilters: 'Filters ({count, number})', apply: 'Show tasks', clear: 'Clear filters',
    category: 'Category', anyCategory: 'Every category', min: 'Bounty from', max: 'Bounty up to', dollars: 'US dollars', for: 'Open to', forHuman: 'People', forAgent: 'Agents', forRobot: 'Robots', forAll: 'Anyone at all', evidence: 'Evidence asked', anyEvidence: 'Any evidence',
    near: 'Near', nearHint: 'Latitude and longitude, such as 19.433,-99.133. Distances are worked out in this browser; the address of this page keeps the place to about 100 m.', nearMe: 'Near me', nearBad: 'Write latitude and longitude with a comma between them.', amountBad: 'Write an amount, such as 2.50.', within: 'Within', anyDistance: 'Any distance',
    geoDenied: 'The browser did not give your position. Allow it for this site, or write a place.', geoFailed: 'Your position could not be found. Try again, or write a place.',
    counted: '{count, plural, =0 {No open task fits} one {# open task} other {# open tasks}}', countedOf: '{count, plural, =0 {No task fits} one {# task fits} other {# tasks fit}}, of {read, number} open', lookedThrough: '{read, number} of {total, number} looked through', tasks: 'Open tasks',
    none: 'No open task fits.', noneHelp: 'Clear the filters, or come back later: new tasks appear here as they are published.', publish: 'Publish a task', loadingMore: 'Loading more …', end: 'That is all.',
    youGet: 'You get', ofBounty: 'of a bounty of {bounty}', bounty: 'Bounty', asks: 'Asks for', place: 'Place', placeAnywhere: 'Anywhere', away: '{distance} away', within_: 'within {distance}', publisher: 'Publisher', ratedOf: '{score, number} of 100 ({count, plural, one {# rating} other {# ratings}})', time: 'Time', gate: 'From a score of {score, number}',
  },
  es: {
    title: 'Buscar trabajo', lead: 'Tareas abiertas, primero las nuevas. La recompensa queda bloqueada en depósito cuando te eligen.', mapTitle: 'Trabajo en el mapa', mapLead: 'Los círculos indican más o menos dónde hay que hacer la tarea; el lugar exacto se comunica a quien resulte elegido.',
    list: 'Lista', map: 'Mapa', views: 'Vista', filters: 'Filtros', showFilters: 'Filtros ({count, number})', apply: 'Mostrar tareas', clear: 'Quitar filtros',
    category: 'Categoría', anyCategory: 'Todas las categorías', min: 'Recompensa desde', max: 'Recompensa hasta', dollars: 'dólares', for: 'Abiertas a', forHuman: 'Personas', forAgent: 'Agentes', forRobot: 'Robots', forAll: 'Cualquiera', evidence: 'Prueba que se pide', anyEvidence: 'Cualquier prueba',
    near: 'Cerca de', nearHint: 'Latitud y longitud, como 19.433,-99.133. Las distancias se calculan en este navegador; la dirección de esta página guarda el lugar con unos 100 m de precisión.', nearMe: 'Cerca de mí', nearBad: 'Escribe latitud y longitud separadas por una coma.', amountBad: 'Escribe un importe, como 2.50.', within: 'A menos de', anyDistance: 'Cualquier distancia',
    geoDenied: 'El navegador no ha dado tu posición. Permítelo para este sitio o escribe un lugar.', geoFailed: 'No se ha podido encontrar tu posición. Inténtalo de nuevo o escribe un lugar.',
    counted: '{count, plural, =0 {Ninguna tarea abierta encaja} one {# tarea abierta} other {# tareas abiertas}}', countedOf: '{count, plural, =0 {Ninguna tarea encaja} one {# tarea encaja} other {# tareas encajan}}, de {read, number} abiertas', lookedThrough: '{read, number} de {total, number} revisadas', tasks: 'Tareas abiertas',
    none: 'Ninguna tarea abierta encaja.', noneHelp: 'Quita los filtros o vuelve más tarde: las tareas nuevas aparecen aquí en cuanto se publican.', publish: 'Publicar una tarea', loadingMore: 'Cargando más…', end: 'No hay más.',
    youGet: 'Recibes', ofBounty: 'de una recompensa de {bounty}', bounty: 'Recompensa', asks: 'Pide', place: 'Lugar', placeAnywhere: 'En cualquier sitio', away: 'a {distance}', within_: 'en un radio de {distance}', publisher: 'Quien publica', ratedOf: '{score, number} de 100 ({count, plural, one {# valoración} other {# valoraciones}})', time: 'Plazo', gate: 'Desde {score, number} puntos',
  },
})
