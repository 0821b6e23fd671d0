import { defineMessages } from '../../lib/messages.ts'

/** What each kind of evidence has to be, and what is looked at, in plain words. */
export const evidenceMessages = defineMessages({
  en: {
    photo: 'A picture, uploaded here.',
    photo_geo: 'A picture, uploaded here, with your position when you took it.',
    gps: 'Your position, measured several times in a row.',
    video: 'A video (MP4 or MOV), uploaded here.',
    document: 'A picture or PDF of the document.',
    receipt: 'A picture or PDF of the receipt.',
    signature: 'A picture or PDF of the signature.',
    notarized: 'A picture or PDF of the notarized document.',
    timestamp_proof: 'A time, and a proof of it such as a token or a link.',
    text_response: 'An answer in your own words.',
    measurement: 'A number with its unit.',
    screenshot: 'A picture of a screen.',
    json_response: 'An answer as JSON.',
    api_response: 'The status and the body that an API answered.',
    code_output: 'What a program printed, and its exit code.',
    file_artifact: 'A file (picture, PDF, video, text or JSON).',
    url_reference: 'A link that begins with https.',
    structured_data: 'Data as a list or with named fields.',
    text_report: 'A report in your own words.',
    'check.form':
      'Everything that is required is there and written as it has to be; the service refuses the rest at once.',
    'check.place': 'Your position is within the area of the task, and your device knows it well enough.',
    'check.moves': 'Your position moves as a person’s does: a faked one hardly moves or jumps too far.',
    'check.time':
      'Position and pictures were taken after you were chosen, before you hand them in and before the deadline.',
    'check.new': 'Neither the same file nor one that looks alike was handed in before.',
    'check.camera':
      'The file says about itself what a camera says, and bears no mark of a program that makes pictures.',
    'check.review': 'What you hand in is held against the instructions, where this service has a reviewer for it.',
    'check.person': 'In the end the publisher looks at it and decides; the checks only help.',
  },
  es: {
    photo: 'Una foto, subida aquí.',
    photo_geo: 'Una foto, subida aquí, con tu posición al hacerla.',
    gps: 'Tu posición, medida varias veces seguidas.',
    video: 'Un vídeo (MP4 o MOV), subido aquí.',
    document: 'Una foto o un PDF del documento.',
    receipt: 'Una foto o un PDF del recibo.',
    signature: 'Una foto o un PDF de la firma.',
    notarized: 'Una foto o un PDF del documento notarial.',
    timestamp_proof: 'Una hora y su prueba, como un testigo o un enlace.',
    text_response: 'Una respuesta con tus palabras.',
    measurement: 'Un número con su unidad.',
    screenshot: 'Una imagen de una pantalla.',
    json_response: 'Una respuesta en JSON.',
    api_response: 'El estado y el cuerpo que respondió una API.',
    code_output: 'Lo que escribió un programa y su código de salida.',
    file_artifact: 'Un archivo (imagen, PDF, vídeo, texto o JSON).',
    url_reference: 'Un enlace que empieza por https.',
    structured_data: 'Datos en una lista o con campos con nombre.',
    text_report: 'Un informe con tus palabras.',
    'check.form': 'Está todo lo que se exige y escrito como debe; lo demás lo rechaza el servicio al momento.',
    'check.place':
      'Tu posición está dentro de la zona de la tarea y tu dispositivo la conoce con suficiente precisión.',
    'check.moves':
      'Tu posición se mueve como la de una persona: una falsa está demasiado quieta o salta demasiado lejos.',
    'check.time':
      'La posición y las fotos se tomaron después de que te eligieran, antes de entregarlas y antes del plazo.',
    'check.new': 'No se entregó antes ni el mismo archivo ni uno que se le parezca.',
    'check.camera':
      'El archivo dice de sí mismo lo que dice una cámara y no lleva marcas de un programa que genera imágenes.',
    'check.review': 'Lo que entregas se compara con las instrucciones, si este servicio tiene un revisor para ello.',
    'check.person': 'Al final mira y decide quien publica; las comprobaciones solo ayudan.',
  },
})
