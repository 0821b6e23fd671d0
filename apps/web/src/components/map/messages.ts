import { defineMessages } from '../../lib/messages.ts'

export const mapMessages = defineMessages({
  en: {
    title: 'Map: {label}',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    wheel: 'Hold Ctrl while you scroll to zoom',
    wheelMac: 'Hold ⌘ while you scroll to zoom',
    touch: 'Use two fingers to move the map',
    many: '{count, plural, one {# place} other {# places}} here; zoom in',
    loading: 'The map is loading …',
    noWebgl: 'This browser cannot draw the map.',
    noWebglHelp:
      'It needs WebGL, which is missing or switched off. Everything that is on the map is also written beside it.',
    failed: 'The map could not be loaded.',
    failedHelp: 'Everything that is on the map is also written beside it.',
    pickMiddle: 'Take the middle of the map',
    pickHelp: 'Click the map, or move it with the arrow keys and take its middle.',
    keys: 'Coasts and borders: Natural Earth. Towns: GeoNames (CC BY 4.0).',
  },
  es: {
    title: 'Mapa: {label}',
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    wheel: 'Mantén pulsado Ctrl mientras te desplazas para acercar',
    wheelMac: 'Mantén pulsado ⌘ mientras te desplazas para acercar',
    touch: 'Usa dos dedos para mover el mapa',
    many: '{count, plural, one {# lugar} other {# lugares}} aquí; acerca el mapa',
    loading: 'Cargando el mapa…',
    noWebgl: 'Este navegador no puede dibujar el mapa.',
    noWebglHelp:
      'Necesita WebGL, que falta o está desactivado. Todo lo que hay en el mapa está también escrito al lado.',
    failed: 'No se ha podido cargar el mapa.',
    failedHelp: 'Todo lo que hay en el mapa está también escrito al lado.',
    pickMiddle: 'Tomar el centro del mapa',
    pickHelp: 'Haz clic en el mapa, o muévelo con las flechas y toma su centro.',
    keys: 'Costas y fronteras: Natural Earth. Ciudades: GeoNames (CC BY 4.0).',
  },
})
