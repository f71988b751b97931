// The build puts these in place of the globals of that name: a page that declares `class Map {}` shadows the one the engine was written for.
const { Array: ArrayHere, JSON: JsonHere, Map: MapHere, Math: MathHere, Number: NumberHere, Object: ObjectHere, Set: SetHere } = globalThis

export {
  ArrayHere as Array,
  JsonHere as JSON,
  MapHere as Map,
  MathHere as Math,
  NumberHere as Number,
  ObjectHere as Object,
  SetHere as Set,
}
