import { defineMessages } from '../../lib/messages.ts'

export const pictureMessages = defineMessages({
  en: {
    title: 'Your picture',
    lead: 'Cut to a square. What the file says about place and camera is removed.',
    choose: 'Choose a picture',
    another: 'Choose another',
    take: 'Take a photo',
    before: 'This is what others will see. It is not saved yet.',
    save: 'Save picture',
    remove: 'Remove picture',
    wrong: 'This file does not open as a picture. Choose a JPEG, PNG or WebP.',
    saved: 'Others see your picture now.',
    removed: 'Your picture is removed.',
  },
  es: {
    title: 'Tu foto',
    lead: 'Una foto o un logotipo. Se recorta en cuadrado y se quita lo que el archivo dice del lugar y de la cámara.',
    choose: 'Elegir una imagen',
    another: 'Elegir otra',
    take: 'Hacer una foto',
    before: 'Así te verán los demás. Aún no está guardada.',
    save: 'Guardar la foto',
    remove: 'Quitar la foto',
    wrong: 'Este archivo no se abre como imagen. Elige un JPEG, PNG o WebP.',
    saved: 'Los demás ya ven tu foto.',
    removed: 'Tu foto ya no se ve.',
  },
})
