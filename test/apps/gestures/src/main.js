// One library by the name in the query. What it notices is in the output.

const place = document.querySelector('#place')
const see = (text) => {
  document.querySelector('#seen').textContent += ` ${text}`
}
const box = () => {
  place.innerHTML = '<div id="box">Box</div>'
  return place.firstElementChild
}
const slides = (around, each) => {
  place.innerHTML = around(
    ['One', 'Two', 'Three'].map((text) => `<div class="slide ${each}">${text}</div>`).join(''),
  )
  return place.firstElementChild
}

const libraries = {
  async hammerjs() {
    const { default: Hammer } = await import('hammerjs')
    const manager = new Hammer(box())
    manager.get('pinch').set({ enable: true })
    manager.get('swipe').set({ direction: Hammer.DIRECTION_ALL })
    manager.on('tap doubletap press swipeleft swipeup pinchout pinchin', ({ type }) => see(type))
  },
  async 'use-gesture'() {
    const { Gesture } = await import('@use-gesture/vanilla')
    new Gesture(
      box(),
      {
        onDrag: ({ tap, last, movement: [x] }) =>
          (tap || last) && see(tap ? 'tap' : x < -50 ? 'swipeleft' : 'drag'),
        onPinchEnd: ({ offset: [scale] }) => see(scale > 1 ? 'pinchout' : 'pinchin'),
      },
      { drag: { filterTaps: true, pointer: { touch: true } }, eventOptions: { passive: false } },
    )
  },
  async zingtouch() {
    const { default: ZingTouch } = await import('zingtouch')
    const region = new ZingTouch.Region(place)
    const target = box()
    region.bind(target, 'tap', () => see('tap'))
    region.bind(target, 'swipe', ({ detail }) =>
      see(
        detail.data[0].currentDirection > 90 && detail.data[0].currentDirection < 270 ? 'swipeleft' : 'swipe',
      ),
    )
    region.bind(target, new ZingTouch.Pinch(), () => see('pinchin'))
  },
  async interactjs() {
    const { default: interact } = await import('interactjs')
    interact(box())
      .on('tap', () => see('tap'))
      .on('doubletap', () => see('doubletap'))
      .on('hold', () => see('press'))
      .draggable({
        listeners: { end: ({ clientX0, clientX }) => see(clientX < clientX0 ? 'swipeleft' : 'drag') },
      })
      .gesturable({ listeners: { end: ({ scale }) => see(scale > 1 ? 'pinchout' : 'pinchin') } })
  },
  async panzoom() {
    const { default: Panzoom } = await import('@panzoom/panzoom')
    const target = box()
    Panzoom(target, { maxScale: 5 })
    target.addEventListener('panzoomend', ({ detail: { scale, x } }) =>
      see(scale > 1.05 ? 'pinchout' : scale < 0.95 ? 'pinchin' : x < -50 ? 'swipeleft' : 'end'),
    )
  },
  async photoswipe() {
    await import('photoswipe/style.css')
    const { default: PhotoSwipe } = await import('photoswipe')
    const src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200"><rect width="1200" height="1200" fill="teal"/></svg>')}`
    const photos = new PhotoSwipe({
      dataSource: [1, 2, 3].map(() => ({ src, width: 1200, height: 1200 })),
      index: 0,
      showHideAnimationType: 'none',
    })
    photos.on('change', () => photos.currIndex > 0 && see('swipeleft'))
    photos.on(
      'zoomPanUpdate',
      ({ slide }) => slide.currZoomLevel > slide.zoomLevels.initial * 1.05 && see('pinchout'),
    )
    photos.init()
  },
  async swiper() {
    await import('swiper/css')
    const { default: Swiper } = await import('swiper')
    const swiper = new Swiper(
      slides((all) => `<div class="swiper"><div class="swiper-wrapper">${all}</div></div>`, 'swiper-slide'),
    )
    swiper.on('slideChange', () => see('swipeleft'))
    swiper.on('tap', () => see('tap'))
  },
  async embla() {
    const { default: EmblaCarousel } = await import('embla-carousel')
    const embla = EmblaCarousel(
      slides((all) => `<div class="embla"><div class="embla__container">${all}</div></div>`, ''),
    )
    embla.on('select', () => see('swipeleft'))
  },
  async 'keen-slider'() {
    await import('keen-slider/keen-slider.min.css')
    const { default: KeenSlider } = await import('keen-slider')
    new KeenSlider(
      slides((all) => `<div class="keen-slider">${all}</div>`, 'keen-slider__slide'),
      { slideChanged: () => see('swipeleft') },
    )
  },
  async glide() {
    await import('@glidejs/glide/dist/css/glide.core.css')
    const { default: Glide } = await import('@glidejs/glide')
    place.innerHTML =
      '<div class="glide"><div class="glide__track" data-glide-el="track"><ul class="glide__slides"><li class="glide__slide">One</li><li class="glide__slide">Two</li></ul></div></div>'
    const glide = new Glide(place.firstElementChild)
    glide.on('run.after', () => see('swipeleft'))
    glide.mount()
  },
}

await libraries[new URLSearchParams(location.search).get('library')]()
addEventListener('touchstart', ({ isTrusted }) => isTrusted || see('untrusted'))
see('ready')
