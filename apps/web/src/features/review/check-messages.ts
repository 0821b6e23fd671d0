import { defineMessages } from '../../lib/messages.ts'

/** What each check of the service looks at, by the name the service gives it. */
export const checkMessages = defineMessages({
  en: {
    schema: 'Form of the evidence',
    proximity: 'Near the place',
    accuracy: 'Accuracy of the position',
    sample_jitter: 'Natural movement of the fixes',
    exact_target: 'Not exactly the target point',
    teleport: 'Possible speed since the last position',
    rapid_repeat: 'Not repeated too soon',
    time_window: 'Taken in the time of the task',
    clock: 'Clock of the device',
    exact_duplicate: 'Not handed in before',
    near_duplicate: 'Not like an earlier picture',
    exif_consistency: 'What the picture says about itself',
    ai_markers: 'Marks of generated pictures',
    screenshot: 'Not a screenshot',
    review: 'AI review',
  },
  es: {
    schema: 'Forma de las pruebas',
    proximity: 'Cerca del lugar',
    accuracy: 'Precisión de la posición',
    sample_jitter: 'Movimiento natural de las mediciones',
    exact_target: 'No es justo el punto pedido',
    teleport: 'Velocidad posible desde la última posición',
    rapid_repeat: 'Sin repetirse demasiado pronto',
    time_window: 'Tomada en el plazo de la tarea',
    clock: 'Reloj del dispositivo',
    exact_duplicate: 'No se entregó antes',
    near_duplicate: 'No se parece a una imagen anterior',
    exif_consistency: 'Lo que la imagen dice de sí misma',
    ai_markers: 'Marcas de imagen generada',
    screenshot: 'No es una captura de pantalla',
    review: 'Revisión con IA',
  },
})
