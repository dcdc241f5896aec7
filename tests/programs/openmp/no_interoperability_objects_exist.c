// With no foreign runtime every interop object is omp_interop_none; the routines say so. OpenMP 5.2, 18.12.
#include <omp.h>
#include <string.h>

#include "check.h"

int main(void) {
  int code = 5;
  CHECK(omp_get_num_interop_properties(omp_interop_none) == 0);
  CHECK(omp_get_interop_int(omp_interop_none, omp_ipr_device_num, &code) == 0 && code == omp_irc_empty);
  CHECK(omp_get_interop_ptr(omp_interop_none, omp_ipr_device, &code) == NULL && code == omp_irc_empty);
  CHECK(omp_get_interop_str(omp_interop_none, omp_ipr_vendor_name, &code) == NULL && code == omp_irc_empty);
  omp_get_interop_int(omp_interop_none, (omp_interop_property_t)7, &code);
  CHECK(code == omp_irc_out_of_range);
  CHECK(strcmp(omp_get_interop_name(omp_interop_none, omp_ipr_fr_id), "fr_id") == 0);
  CHECK(strcmp(omp_get_interop_name(omp_interop_none, omp_ipr_targetsync), "targetsync") == 0);
  CHECK(omp_get_interop_name(omp_interop_none, (omp_interop_property_t)7) == NULL);
  CHECK(omp_get_interop_type_desc(omp_interop_none, omp_ipr_fr_id) == NULL);
  CHECK(omp_get_interop_rc_desc(omp_interop_none, omp_irc_empty) != NULL);
  CHECK(omp_control_tool(omp_control_tool_start, 0, NULL) == omp_control_tool_notool);
  CHECK(!omp_in_explicit_task());
#pragma omp parallel num_threads(2)
  {
    CHECK(!omp_in_explicit_task());
#pragma omp task
    CHECK(omp_in_explicit_task());
  }
  return 0;
}
