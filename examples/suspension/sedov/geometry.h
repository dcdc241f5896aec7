// Geometry of a hexahedron with these corners: 0 to 3 around its lower side, 4 to 7 above them.
#ifndef HEDDLE_EXAMPLES_SEDOV_GEOMETRY_H
#define HEDDLE_EXAMPLES_SEDOV_GEOMETRY_H

// A number for each corner, of three directions.
typedef struct Corners {
  double of[3][8];
} Corners;

// Its volume.
double volume_of(const Corners* at);

// Derivatives of the shape functions at its centre, times the volume; returns the volume as they see it.
double shape_derivatives(const Corners* at, Corners* derivatives);

// Of each corner the sum of the area vectors of the quarters of sides that meet there.
void corner_normals(const Corners* at, Corners* normals);

// Derivatives of the volume with respect to the corners' places.
void volume_derivatives(const Corners* at, Corners* derivatives);

// Its volume over the area of its largest side, times a constant: what sound has to cross.
double characteristic_length(const Corners* at, double volume);

#endif
