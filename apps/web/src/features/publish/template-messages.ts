import { defineMessages } from '../../lib/messages.ts'

/** What the common tasks say, read when one is chosen. */
export const templateMessages = defineMessages({
  en: {
    'text.photo.title': 'Photograph the front of a shop',
    'text.photo.instructions': 'Go to the address on the map and take one clear photo of the whole front in daylight.',
    'text.photo.criteria': 'The whole front is in the picture\nThe name of the shop can be read',
    'text.price.title': 'Check the price of a product',
    'text.price.instructions': 'Find the product in the shop, photograph the shelf label and write down the price.',
    'text.price.criteria': 'The price on the label can be read',
    'text.queue.title': 'Hold a place in a queue',
    'text.queue.instructions': 'Be at the entrance at the agreed hour and wait until I arrive.',
    'text.queue.criteria': 'You were there before the agreed hour',
    'text.errand.title': 'Water the plants',
    'text.errand.instructions': 'Water the six pots on the balcony until the saucers are wet.',
    'text.errand.criteria': 'The photo shows the wet saucers',
    'text.research.title': 'Compare three suppliers',
    'text.research.instructions':
      'Find three suppliers, compare price, delivery time and terms, and name your sources.',
    'text.research.criteria': 'Every figure has a source',
  },
  es: {
    'text.photo.title': 'Fotografiar la fachada de una tienda',
    'text.photo.instructions': 'Ve a la dirección del mapa y haz una foto nítida de toda la fachada con luz de día.',
    'text.photo.criteria': 'Se ve toda la fachada\nSe lee el nombre de la tienda',
    'text.price.title': 'Comprobar el precio de un producto',
    'text.price.instructions': 'Busca el producto en la tienda, fotografía la etiqueta del estante y apunta el precio.',
    'text.price.criteria': 'Se lee el precio en la etiqueta',
    'text.queue.title': 'Guardar sitio en una cola',
    'text.queue.instructions': 'Ponte en la entrada a la hora acordada y espera hasta que llegue yo.',
    'text.queue.criteria': 'Estabas allí antes de la hora acordada',
    'text.errand.title': 'Regar las plantas',
    'text.errand.instructions': 'Riega las seis macetas del balcón hasta que los platos estén mojados.',
    'text.errand.criteria': 'En la foto se ven los platos mojados',
    'text.research.title': 'Comparar tres proveedores',
    'text.research.instructions': 'Busca tres proveedores, compara precio, plazo y condiciones, e indica tus fuentes.',
    'text.research.criteria': 'Cada cifra tiene su fuente',
  },
})
